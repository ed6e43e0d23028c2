"""The jack, the queen and the king, drawn for a card 50 wide: flat shapes that can be told apart at a height of 48 pixels.

A figure stands on the lower edge of its card, to the right of the index. The robe has the color of the suit.
"""

from __future__ import annotations

from croupier.cards import JACK, KING, QUEEN

GOLD, SKIN, INK, BROWN, AUBURN, FAIR = "#c79a34", "#f7e0c8", "#3a2a1e", "#7a5a3a", "#a8642c", "#c89b4a"
ROBE = "M-13.4 46.6C-13.4 36.2-9.4 32.4-4 31.2L4 31.2C9.4 32.4 13.4 36.2 13.4 46.6Z"
COLLAR = "M-5.6 31L0 38.4L5.6 31L3.4 30L0 33.6L-3.4 30Z"
NECK = "M-2.6 25H2.6V31.6L0 34.2L-2.6 31.6Z"
FACE = "M-5.9 17.4C-5.9 12-3.6 10.6 0 10.6C3.6 10.6 5.9 12 5.9 17.4C5.9 23.4 3.2 27.4 0 27.4C-3.2 27.4-5.9 23.4-5.9 17.4Z"
EYES = "M-3.1 18.2A.8.8 0 1 0-1.5 18.2A.8.8 0 1 0-3.1 18.2ZM1.5 18.2A.8.8 0 1 0 3.1 18.2A.8.8 0 1 0 1.5 18.2Z"
LIPS = "M-1.6 23.4C-.6 24.2.6 24.2 1.6 23.4C.8 25-.8 25-1.6 23.4Z"

Part = tuple[str, str]  # a path and its color; an empty color is that of the suit

#: From back to front. Behind the robe is the hair of the queen; over the face the crown or the cap.
KINGS: list[Part] = [
    (ROBE, ""),
    (COLLAR, GOLD),
    (NECK, SKIN),
    ("M-7 12.4C-8 18-7.6 24-6.6 26.6L-4.6 16.8ZM7 12.4C8 18 7.6 24 6.6 26.6L4.6 16.8Z", BROWN),
    (FACE, SKIN),
    ("M-6 18.6C-6.8 28-3.8 35 0 36.4C3.8 35 6.8 28 6 18.6C5 21.8 3 22 1.6 21.4C.6 21-.6 21-1.6 21.4C-3 22-5 21.8-6 18.6Z", BROWN),
    (EYES, INK),
    ("M-1.7 24.4C-.6 25.2.6 25.2 1.7 24.4C.8 26-.8 26-1.7 24.4Z", SKIN),
    ("M-7.8 13.4L-9.2 2.4L-4.4 7L0-.6L4.4 7L9.2 2.4L7.8 13.4C3 11.8-3 11.8-7.8 13.4Z", GOLD),
    ("M-1.2-.8A1.2 1.2 0 1 0 1.2-.8A1.2 1.2 0 1 0-1.2-.8ZM-10.3 2A1.1 1.1 0 1 0-8.1 2A1.1 1.1 0 1 0-10.3 2Z"
     "M8.1 2A1.1 1.1 0 1 0 10.3 2A1.1 1.1 0 1 0 8.1 2Z", GOLD),
    ("M-1.3 9.2L0 7L1.3 9.2L0 11.4Z", ""),
]  # fmt: skip
QUEENS: list[Part] = [
    ("M-9.6 35C-11.4 26-10.4 10.4 0 9.6C10.4 10.4 11.4 26 9.6 35C6 37-6 37-9.6 35Z", AUBURN),
    (ROBE, ""),
    ("M-6 31.2C-3.6 35.6 3.6 35.6 6 31.2L4 30.2C2 33-2 33-4 30.2Z", GOLD),
    (NECK, SKIN),
    (FACE, SKIN),
    ("M-6.4 19C-6.6 13-3 11.6 0 11.4C3 11.6 6.6 13 6.4 19C7.4 12-.4 8.4 0 9.4C-3 8.4-7.4 12-6.4 19Z", AUBURN),
    (EYES, INK),
    (LIPS, "#b3202a"),
    ("M-6.6 10.8C-7.4 8-7.2 5.6-6.4 3.8L-3.4 7.4L0 2.2L3.4 7.4L6.4 3.8C7.2 5.6 7.4 8 6.6 10.8C2.6 9.4-2.6 9.4-6.6 10.8Z", GOLD),
    ("M-1.1 1.6A1.1 1.1 0 1 0 1.1 1.6A1.1 1.1 0 1 0-1.1 1.6ZM-7.5 3.2A1.1 1.1 0 1 0-5.3 3.2A1.1 1.1 0 1 0-7.5 3.2Z"
     "M5.3 3.2A1.1 1.1 0 1 0 7.5 3.2A1.1 1.1 0 1 0 5.3 3.2Z", "#fffdf5"),
]  # fmt: skip
JACKS: list[Part] = [
    (ROBE, ""),
    (COLLAR, GOLD),
    (NECK, SKIN),
    ("M-7.2 11C-9.2 18-9 25-7.4 28.4C-5.4 28.4-4.4 26-4.4 24L-4.8 14Z"
     "M7.2 11C9.2 18 9 25 7.4 28.4C5.4 28.4 4.4 26 4.4 24L4.8 14Z", FAIR),
    (FACE, SKIN),
    (EYES, INK),
    (LIPS, "#8a3b2a"),
    ("M-9.4 11.4C-10.4 5.4-5.4 2 .6 2.2C6.8 2.2 10.2 5.8 9.2 11.4C3 9.6-3 9.6-9.4 11.4Z", ""),
    ("M-9.2 10.4C-3 8.4 3 8.4 9 10.4L8.8 13C3 11-3 11-9 13Z", GOLD),
    ("M4.6 8.6C5.6 2 9.6-2.2 14-2C14.6 2.2 11 7.4 5.4 9.4Z", GOLD),
]  # fmt: skip
FIGURES = {KING: KINGS, QUEEN: QUEENS, JACK: JACKS}
