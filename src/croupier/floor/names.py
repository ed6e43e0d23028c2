"""Names that people choose: what can be one, and when two of them look alike."""

from __future__ import annotations

from unicodedata import normalize

from croupier.floor.registry import Denied

LONGEST_NAME = 40
# Who acts in the log without being a person. Nobody else may take these names.
AUTOMATIC_DEALER, PRACTICE_FLOORPERSON, TABLE_GAME_SYSTEM = "automatic dealer", "practice floorperson", "table game system"
THE_HOUSE, EXAMPLES, DEMO_FLOOR = "the house", "Croupier examples", "demo floor"
# Characters that count as letters or marks and are not seen: fillers, joiners, variation selectors and the blank of Braille.
_UNSEEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)}
_UNSEEN |= set(range(0xE0100, 0xE01F0))


def proper(name: str) -> str:
    """The name as it is kept, or why it cannot be one.

    >>> proper("  Ann   Lee ")
    'Ann Lee'
    >>> proper("Ann\\u200b")
    Traceback (most recent call last):
        ...
    croupier.floor.registry.Denied: a name with characters that cannot be seen. Accepted: 1 to 40 characters that can be read.
    """
    accepted = f"1 to {LONGEST_NAME} characters that can be read"
    kept = normalize("NFC", " ".join(part for part in name.split(" ") if part))
    if not kept:
        raise Denied("a name without characters", accepted)
    if len(kept) > LONGEST_NAME:
        raise Denied(f"a name of {len(kept):,} characters", accepted)
    if not kept.isprintable() or any(ord(sign) in _UNSEEN for sign in kept):
        raise Denied("a name with characters that cannot be seen", accepted)
    if alike(kept) in _RESERVED:
        raise Denied(f"the name {kept} is used for deeds that no person does", "another name")
    return kept


def alike(name: str) -> str:
    """What two names have in common that are the same name: case does not count, nor do other forms of the same characters.

    The forms of a character that Unicode has assigned never change, and one that it has not is no part of a name. So what is
    not alike today never becomes so.

    >>> alike("Ann") == alike("ＡＮＮ") == alike("ann ")
    True
    """
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


_RESERVED = {
    alike(name) for name in (AUTOMATIC_DEALER, PRACTICE_FLOORPERSON, TABLE_GAME_SYSTEM, THE_HOUSE, EXAMPLES, DEMO_FLOOR)
}
