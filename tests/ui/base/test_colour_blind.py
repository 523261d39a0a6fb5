"""What people who see fewer colours can tell apart: contrasts hold for them, and each state has a shape or a word."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.colours import DARK, LIGHT, Tokens, contrast
from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.cells.cell_paint import make_brush, paint_cell
from petstore_desktop.ui.text.cell import MARK_ICONS, STATUS_TONES, Cell, Mark
from tests.ui.base.colour_blind import KINDS, difference, seen, seen_picture
from tests.ui.base.colour_pairs import EDGE, EDGES, ON_PLANES, TEXT, pairs

BOTH = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
EACH = pytest.mark.parametrize("kind", KINDS)
ROUNDED = 0.99
"""What rounding the simulated colours may take from a ratio."""
BESIDE = (
    ("bar", "bad"),
    ("bar", "accent"),
    ("bar", "amber"),
    ("accent", "filtered"),
    ("faint", "bar"),
    ("faint", "wait"),
)
"""Fills that stand for unlike things in one chart or meter."""


def test_the_simulation_is_that_of_the_paper() -> None:
    assert seen("#FFFFFF", "protanopia") == "#FFFFFF"
    assert seen("#808080", "tritanopia") == "#808080"
    # Who lacks the long cones sees red dark, who lacks the middle ones sees red and green as alike as possible.
    assert contrast(seen("#FF0000", "protanopia"), "#000000") < contrast("#FF0000", "#000000") * 0.7
    usual = difference("#D04040", "#707000")
    assert difference(seen("#D04040", "deuteranopia"), seen("#707000", "deuteranopia")) < usual / 2
    assert difference("#000000", "#FFFFFF") == pytest.approx(100, abs=0.1)
    picture = QImage(4, 3, QImage.Format.Format_RGB32)
    picture.fill(0xFF2457D1)
    for kind in KINDS:
        assert seen_picture(picture, kind).pixelColor(2, 1).name().upper() == seen("#2457D1", kind)


@BOTH
@EACH
def test_every_pair_keeps_its_contrast(tokens: Tokens, kind: str) -> None:
    wrong: list[str] = []
    for table, least in ((ON_PLANES, TEXT), (EDGES, EDGE)):
        for front, back in pairs(table):
            ratio = contrast(seen(tokens[front], kind), seen(tokens[back], kind))
            if ratio < least * ROUNDED:
                wrong.append(f"{front} on {back}: {ratio:.2f}")
    assert wrong == []


@BOTH
@EACH
@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_parts_of_charts_and_meters_stay_apart(tokens: Tokens, kind: str, one: str, other: str) -> None:
    assert difference(seen(tokens[one], kind), seen(tokens[other], kind)) >= 15


def ink(name: str) -> np.ndarray:
    """How dark each pixel of an icon is, 14 pixels square as in cells, at a screen of two."""
    image = icons.pixmap(name, "#000000", 14, 2.0).toImage().convertToFormat(QImage.Format.Format_Alpha8)
    raw = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return raw[:, : image.width()].astype(np.int16)


@pytest.mark.parametrize("names", [tuple(dict.fromkeys(MARK_ICONS.values())), tuple(STATUS_TONES), icons.STATUS[:3]])
def test_each_state_has_a_shape_of_its_own(qapp: QApplication, names: tuple[str, ...]) -> None:
    # "sold" and "complete" are the same shape with other words, in other lists.
    shapes = [name for name in names if name != "complete"]
    for one, other in combinations(shapes, 2):
        first, second = ink(one), ink(other)
        apart = np.abs(first - second).sum() / max(first.sum(), second.sum())
        assert apart > 0.3, (one, other, apart)


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_changed_cells_differ_without_colours(qapp: QApplication, kind: str) -> None:
    theme, rect = Theme(LIGHT if kind == "light" else DARK, dark=kind == "dark"), QRect(0, 0, 80, 30)
    bars: dict[Mark, list[bool]] = {}
    for mark in ("unsent", "conflict", "refused"):
        image = QImage(rect.size(), QImage.Format.Format_RGB32)
        image.fill(theme.color("content"))
        painter = QPainter(image)
        paint_cell(make_brush(painter, theme, rect, False, False), Cell(text="Koi", mark=mark), False)
        painter.end()
        ground = image.pixelColor(8, 15).lightness()
        bars[mark] = [abs(image.pixelColor(4, y).lightness() - ground) > 40 for y in range(6, 24)]
    pieces = {
        mark: sum(now and not before for before, now in zip([False, *bar], bar, strict=False))
        for mark, bar in bars.items()
    }
    assert pieces == {"unsent": 1, "conflict": 2, "refused": 3}
