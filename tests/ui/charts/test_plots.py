"""How charts are painted: their scales, looks and words, on the screen and on paper."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QTransform

from petstore_desktop.ui.base.colours import BRIGHT, DARK, LIGHT
from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.charts.canvas import BarLook, Canvas, Ink, paper_ink
from petstore_desktop.ui.charts.day_bars import DayBars
from petstore_desktop.ui.charts.plot import ChartSlot, Plot, SlotPart, paint_plot
from petstore_desktop.ui.charts.step_line import LinePoint, StepLine
from tests.ui.charts.monday import categories, orders, stock_line


def painted(plot: Plot, ink: Ink, width: int = 768) -> QImage:
    """A chart as a picture."""
    image = QImage(width, plot.height(ink.theme, width), QImage.Format.Format_RGB32)
    image.fill(ink.theme.color("content"))
    painter = QPainter(image)
    paint_plot(plot, painter, image.rect(), ink)
    painter.end()
    return image


def tallest(image: QImage, colour: str, left: int, right: int) -> int:
    """The most pixels of a colour below each other, between two columns."""
    wanted = QColor(colour)
    columns = (sum(image.pixelColor(x, y) == wanted for y in range(image.height())) for x in range(left, right))
    return max(columns)


def day_bars(*counts: tuple[int, ...]) -> DayBars:
    """Days with this many complete and overdue orders."""
    slots = [
        ChartSlot(
            at, "d", "said", "name", tuple(map(SlotPart, (BarLook.DONE, BarLook.OVERDUE), one)) if any(one) else ()
        )
        for at, one in enumerate(counts)
    ]
    return DayBars("", "Day", (("Complete", BarLook.DONE),), tuple(slots))


@pytest.mark.parametrize(
    ("counts", "done", "overdue"),
    [
        ((8, 2), 48, 12),  # six pixels an order
        ((10, 0), 60, 0),
        ((600, 0), 60, 0),  # scaled to 60
        ((300, 1), 57, 3),  # the small part can be seen, and all of it keeps to the 60
        ((1, 0), 6, 0),
    ],
)
def test_a_bar_has_six_pixels_an_order_or_is_scaled_to_sixty(counts: tuple[int, int], done: int, overdue: int) -> None:
    parts = counts if counts[1] else counts[:1]
    image = painted(day_bars(parts), Ink(Theme(LIGHT, dark=False)))
    assert tallest(image, LIGHT["bar"], 20, 30) == done
    assert tallest(image, LIGHT["bad"], 18, 21) == overdue


def test_what_is_overdue_for_long_does_not_flatten_the_days_and_is_cut_through() -> None:
    theme, plain = Theme(LIGHT, dark=False), orders()
    earlier = replace(plain.slots[0], parts=(SlotPart(BarLook.OVERDUE, 400),))
    image = painted(replace(plain, slots=(earlier, *plain.slots[1:])), Ink(theme))
    usual = painted(plain, Ink(theme))
    bars = QRect(0, theme.height(22) + theme.height(14), 60, 60)
    assert tallest(image.copy(bars), LIGHT["bad"], 20, 30) == 60 - 4, "two cuts of two pixels"
    assert tallest(usual.copy(bars), LIGHT["bad"], 17, 20) == 12, "at the edge, beside the number"
    assert image.copy(100, 0, 668, image.height()) == usual.copy(100, 0, 668, usual.height())


def test_parts_are_one_pixel_apart() -> None:
    image = painted(day_bars((4, 3)), Ink(Theme(LIGHT, dark=False)))
    column = [image.pixelColor(28, y).name() for y in range(image.height())]
    bad, bar = LIGHT["bad"].lower(), LIGHT["bar"].lower()
    last = max(y for y, colour in enumerate(column) if colour == bad)
    first = min(y for y, colour in enumerate(column) if colour == bar)
    assert 1 <= first - last - 1 <= 3, "the gap, and the round corners at this column"


def ink(kind: str) -> Ink:
    """One of the ways in which charts are painted."""
    if kind == "paper":
        return paper_ink()
    if kind == "contrast":
        return Ink(Theme(BRIGHT, dark=False, high_contrast=True))
    return Ink(Theme(DARK if kind == "dark" else LIGHT, dark=kind == "dark"))


@pytest.mark.parametrize("kind", ["light", "dark", "contrast", "paper"])
def test_the_looks_of_orders_differ_without_colours(kind: str) -> None:
    pictures: list[bytes] = []
    for look in (BarLook.DONE, BarLook.OVERDUE, BarLook.DUE, BarLook.COMING):
        image = QImage(20, 24, QImage.Format.Format_RGB32)
        image.fill(ink(kind).theme.color("content"))
        painter = QPainter(image)
        Canvas(painter, image.rect(), ink(kind)).part(QRectF(0, 0, 20, 24), look)
        painter.end()
        grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
        pictures.append(bytes(grey.bits()))
    for one, other in combinations(range(4), 2):
        apart = sum(abs(a - b) > 8 for a, b in zip(pictures[one], pictures[other], strict=True))
        by_place = kind in ("light", "dark") and (one, other) == (1, 2)  # overdue is before today, due is today
        assert by_place or apart > len(pictures[one]) / 20


@pytest.mark.parametrize("plot", [orders(), categories(), stock_line()], ids=["orders", "categories", "line"])
def test_from_right_to_left_the_plain_shapes_are_mirrored(plot: Plot) -> None:
    theme = Theme(LIGHT, dark=False)
    one, other = painted(plot, Ink(theme)), painted(plot, Ink(theme, rtl=True)).transformed(QTransform().scale(-1, 1))
    colours = {QColor(LIGHT[name]).rgb() for name in ("bar", "bad", "amber", "muted")}
    shapes = [
        [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) in colours]
        for image in (one, other)
    ]
    assert one != other, "letters are not mirrored"
    assert len(set(shapes[0]) & set(shapes[1])) > 0.8 * len(shapes[0])


def test_words_over_the_weeks_take_a_row_each_where_they_would_meet() -> None:
    theme = Theme(LIGHT, dark=False)
    assert orders().height(theme, 420) == orders().height(theme, 768) + theme.height(22)


def test_a_chart_on_paper_is_painted_at_the_sharpness_of_the_printer() -> None:
    image = QImage(1600, 400, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(2, 2)
    paint_plot(orders(), painter, QRect(10, 10, 768, 160), paper_ink())
    painter.end()
    assert image.pixelColor(5, 5) == QColor("white")
    assert tallest(image, LIGHT["bar"], 20, 1580) >= 2 * 42


def test_the_copied_numbers_of_a_line_are_all_of_them_though_fewer_can_be_reached() -> None:
    points = [LinePoint(float(at), at % 17, f"said {at}", f"name {at}", at) for at in range(1000)]
    line = StepLine("", ("Time", "In stock"), points, 1000.0)
    assert len(line.table()) == 1001
    reached = line.slots
    assert 100 <= len(reached) <= 120
    assert reached[-1].key == 999
    assert len(line.places(Theme(LIGHT, dark=False), 300)) == len(reached)


def test_a_line_without_points_or_with_one_is_painted() -> None:
    theme = Theme(LIGHT, dark=False)
    empty = StepLine("", ("Time", "In stock"), (), 0.0)
    assert empty.slots == [] and painted(empty, Ink(theme)).pixelColor(100, 10) == QColor(LIGHT["content"])
    one = replace(empty, points=[LinePoint(5.0, -3, "said", "name", 1)], until=5.0)
    assert len(one.places(theme, 300)) == 1
    assert painted(one, Ink(theme)) != painted(empty, Ink(theme))
