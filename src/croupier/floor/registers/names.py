"""Names that people choose: which are allowed, and when two are the same name."""

from __future__ import annotations

from unicodedata import normalize

from croupier.floor.registers.register import HouseRefusal

LONGEST_NAME = 40
# The actors in the log that are not people. Nobody may take these names.
AUTOMATIC_DEALER, PRACTICE_FLOORPERSON, TABLE_GAME_SYSTEM = "automatic dealer", "practice floorperson", "table game system"
THE_HOUSE, EXAMPLES, DEMO_FLOOR = "the house", "Croupier examples", "demo floor"
# Letters and marks that are invisible: fillers, joiners, variation selectors and the blank of Braille.
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)}
_INVISIBLE |= set(range(0xE0100, 0xE01F0))


def proper_name(name: str) -> str:
    """The name as it is kept. Refuses a name that is empty, too long, unreadable or reserved.

    >>> proper_name("  Ann   Lee ")
    'Ann Lee'
    >>> proper_name("Ann\\u200b")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    croupier.floor.registers.register.HouseRefusal: the name has invisible characters. Allowed: ...
    """
    accepted = f"1 to {LONGEST_NAME} visible characters"
    kept = normalize("NFC", " ".join(part for part in name.split(" ") if part))
    if not kept:
        raise HouseRefusal("the name is empty", accepted)
    if len(kept) > LONGEST_NAME:
        raise HouseRefusal(f"the name has {len(kept):,} characters", accepted)
    if not kept.isprintable() or any(ord(sign) in _INVISIBLE for sign in kept):
        raise HouseRefusal("the name has invisible characters", accepted)
    if name_key(kept) in _RESERVED:
        raise HouseRefusal(f"the name {kept} is reserved for the house. Choose another name")
    return kept


def name_key(name: str) -> str:
    """The key for comparing names, which ignores case and other forms of the same characters.

    The forms of an assigned Unicode character never change, and an unassigned one cannot be in a name. So two names that differ
    today never become the same.

    >>> name_key("Ann") == name_key("ＡＮＮ") == name_key("ann ")
    True
    """
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


_RESERVED = {
    name_key(name) for name in (AUTOMATIC_DEALER, PRACTICE_FLOORPERSON, TABLE_GAME_SYSTEM, THE_HOUSE, EXAMPLES, DEMO_FLOOR)
}
