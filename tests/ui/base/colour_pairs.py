"""Which colour of a theme is used on which, what contrast each pair needs, and how the pairs are found in pictures.

Pictures for that are painted with `probe_tokens`: each token has a colour of its own there, so that a pixel tells its
token, and two tokens within `REACH` pixels of each other were painted on or beside each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from petstore_desktop.ui.base.colours import BLACK, BRIGHT, DARK, LIGHT, Tokens, contrast
from petstore_desktop.ui.connection.connection import SWATCHES

THEMES: Final[Mapping[str, Tokens]] = {"light": LIGHT, "dark": DARK, "bright": BRIGHT, "black": BLACK}
HIGH: Final = frozenset({"bright", "black"})
TEXT, EDGE, HIGH_CONTRAST = 4.5, 3.0, 7.0
"""Ratios of WCAG 2.2: text (1.4.3), what is no text (1.4.11), and text at level AAA (1.4.6)."""
Pair: TypeAlias = tuple[str, str]
PLAIN = ("chrome", "content", "raised", "sunken", "button", "hover")
SELECTED = ("select", "select_off")
ON_PLANES: Final[Mapping[str, tuple[str, ...]]] = {
    "text": (*PLAIN, *SELECTED, "pressed", "filtered", "edit", "ok_bg", "wait_bg", "bad_bg"),
    "muted": (*PLAIN, *SELECTED, "filtered", "edit", "wait_bg", "bad_bg"),
    "faint": PLAIN,
    "accent": (*PLAIN, "filtered", "edit"),
    "ok": ("chrome", "content", "hover", "ok_bg", *SELECTED),
    "wait": ("chrome", "content", "raised", "wait_bg", "edit", *SELECTED),
    "done": ("chrome", "content", "done_bg"),
    "bad": ("chrome", "content", "raised", "bad_bg", *SELECTED),
    "on_fill": ("fill", "fill_over", "fill_down"),
    "on_select": SELECTED,
    "on_toast": ("toast",),
    "toast_link": ("toast",),
    "toast_key": ("toast",),
}
"""Token of a text or an icon: the planes that it is on."""
EDGES: Final[Mapping[str, tuple[str, ...]]] = {
    "control": ("content", "raised", "sunken", "button"),  # form fields, check boxes, the chosen kind of code
    "accent": (*SELECTED, "bad_bg", "track"),  # rings, the bar of an unsent change, the price on its bar
    "faint": ("track",),  # what is left in a meter against its track
    "wait": ("track",),  # the same from the reserve down
    "muted": ("track",),  # what is counted of a stocktake
    "amber": ("content", "wait_bg"),  # the low part of a bar; the frame of a rehearsal
    "fill": ("content",),  # the primary button and the ticked box
}
"""Token of what is no text but has to be seen: the planes that it is on."""
NOT_NEEDED: Final[Mapping[Pair, str]] = {
    ("bar", "content"): "what is done, in a chart whose every bar has its number in `muted`",
    ("control", "filtered"): "the square of the swatch for no colour, which has a tick when it is chosen",
}
"""Pairs that are found but need no contrast, and why."""
FLOATING: Final = ("toast", "raised")
"""Planes that lie over anything, with an edge: what they cover in part may be beside them."""
DRAWN: Final = frozenset({*ON_PLANES, *EDGES, "bar"})
"""Tokens that are drawn on planes; all others are planes, or lines that only divide."""
DIVIDING: Final = frozenset({"hair", "line"})


FOREIGN: Final = frozenset({"#2457D1", *(colour for colour, _ in SWATCHES)})
"""Colours of no theme: the program's own icon, and what a person gives to connections."""
ON_PAPER: Final = ("print", "report", "protocol", "labels", "comparePrint", "icons")
"""What the names of pictures say that show paper, which is white and printed in inks of its own, or only icons."""
FEWEST: Final = 20
"""Fewer pairs than these say that nothing was painted."""


def pairs(table: Mapping[str, tuple[str, ...]]) -> list[Pair]:
    """All pairs of such a table."""
    return [(front, back) for front, planes in table.items() for back in planes]


def probe_tokens(*, dark: bool = False) -> Tokens:
    """Each token in a colour that no other has, the same in each run; `dark`: in other ones."""
    values = random.Random(17).sample(range(0x303030, 0xFFFFFF), 2 * len(LIGHT))
    half = values[len(LIGHT) :] if dark else values[: len(LIGHT)]
    return {name: f"#{value:06X}" for name, value in zip(LIGHT, half, strict=True)}


REACH = 2
LEAST, LEAST_FLOATING = 4, 100
"""So many pixels of a pair are no chance; and so many beside a floating plane."""


@cache
def _tokens_of_colours() -> npt.NDArray[np.int8]:
    """For each colour of 24 bits the token that is painted in it, by its place; -1 for none."""
    found = np.full(1 << 24, -1, np.int8)
    for probe in (probe_tokens(), probe_tokens(dark=True)):
        found[[int(colour[1:], 16) for colour in probe.values()]] = range(len(probe))
    return found


def _pixels(picture: QImage) -> npt.NDArray[np.uint32]:
    image = picture.convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return raw[:, : image.width()] & 0xFFFFFF


def found_pairs(picture: QImage) -> dict[Pair, int]:
    """The pairs of tokens that lie beside each other in a picture in probe colours, and at how many pixels."""
    tokens, names = _tokens_of_colours()[_pixels(picture)], list(LIGHT)
    found: dict[Pair, int] = {}
    for step in range(1, REACH + 1):
        for one, other in ((tokens[:, :-step], tokens[:, step:]), (tokens[:-step], tokens[step:])):
            _count(one, other, names, found)
    return {pair: count for pair, count in found.items() if count >= LEAST}


def _count(one: npt.NDArray[np.int8], other: npt.NDArray[np.int8], names: list[str], found: dict[Pair, int]) -> None:
    apart = (one != other) & (one >= 0) & (other >= 0)
    first, second = one[apart].astype(np.int32), other[apart].astype(np.int32)
    keys = np.minimum(first, second) * len(names) + np.maximum(first, second)
    for key, count in enumerate(np.bincount(keys).tolist()):
        if count:
            pair = (names[key // len(names)], names[key % len(names)])
            found[pair] = found.get(pair, 0) + count


def drawn_on(found: Mapping[Pair, int]) -> list[Pair]:
    """Of the pairs in a picture those of something that is drawn and its plane, in this order."""
    drawn = DRAWN - {"fill"}  # it is a plane for what is on it
    ordered = {pair if pair[0] in drawn or pair[1] not in DRAWN else pair[::-1]: count for pair, count in found.items()}
    return [
        (front, back)
        for (front, back), count in ordered.items()
        if front in DRAWN and back not in drawn | DIVIDING and count >= (LEAST_FLOATING if back in FLOATING else LEAST)
    ]


def foreign_colours(picture: QImage) -> set[str]:
    """Colours of areas of at least 8 x 4 pixels in a picture in probe colours that are none of those."""
    pixels = _pixels(picture)
    corners = pixels[:-3, :-7]
    downs, acrosses = np.nonzero(_tokens_of_colours()[corners] < 0)
    for down in range(4):
        for across in range(8):
            same = pixels[downs + down, acrosses + across] == pixels[downs, acrosses]
            downs, acrosses = downs[same], acrosses[same]
    return {f"#{value:06X}" for value in np.unique(pixels[downs, acrosses]).tolist()}


def wrong_in(name: str, picture: QImage, found: list[Pair], *, high: bool) -> list[str]:
    """What is wrong in a picture in probe colours with these `drawn_on` it: pairs that are in no table, or in `high`
    contrast too much alike; and areas in colours of no theme."""
    said = [f"{name}: {words}" for words in (_alike if high else _not_in_tables)(found)]
    if not any(word in name for word in ON_PAPER):
        said += [f"{name}: {colour} is of no theme" for colour in sorted(foreign_colours(picture) - FOREIGN)]
    return said


def wrong_colours(pictures: Iterable[Path], kind: str) -> list[str]:
    """What is wrong in pictures in the probe colours of an `ordinary` theme or one of `contrast`; pictures that show
    hardly any pair are wrong too."""
    wrong, seen = list[str](), set[Pair]()
    for path in pictures:
        picture = QImage(str(path))
        found = drawn_on(found_pairs(picture))
        wrong += wrong_in(path.stem, picture, found, high=kind == "contrast")
        seen |= {*found}
    return wrong if len(seen) >= FEWEST else [*wrong, f"only {len(seen)} pairs are seen"]


def _not_in_tables(found: list[Pair]) -> list[str]:
    known = {*pairs(ON_PLANES), *pairs(EDGES), *NOT_NEEDED}
    return [f"{front} on {back} is in no table" for front, back in found if (front, back) not in known]


def _alike(found: list[Pair]) -> list[str]:
    """Rows that touch are left out: what is painted on a selected row is tested by itself."""
    ratios = {
        (front, back, theme): contrast(THEMES[theme][front], THEMES[theme][back])
        for front, back in found
        for theme in sorted(HIGH)
        if back not in SELECTED and front != "on_select"
    }
    return [f"{front} on {back}: {ratio:.2f}" for (front, back, _), ratio in ratios.items() if ratio < HIGH_CONTRAST]
