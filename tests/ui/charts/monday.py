"""The charts of Monday 23 November 2026, as the design's pictures have them."""

from __future__ import annotations

from datetime import date, timedelta

from petstore_desktop.ui.charts.canvas import BarLook
from petstore_desktop.ui.charts.category_bars import CategoryBars
from petstore_desktop.ui.charts.day_bars import DayBars, DayHeading
from petstore_desktop.ui.charts.plot import ChartSlot, SlotPart
from petstore_desktop.ui.charts.step_line import LinePoint, StepLine

MONDAY = date(2026, 11, 23)
_WORDS = {
    BarLook.DONE: "complete",
    BarLook.OVERDUE: "overdue",
    BarLook.DUE: "due today",
    BarLook.COMING: "to come",
}
_DAYS: dict[int, tuple[tuple[BarLook, int], ...]] = {
    -7: ((BarLook.DONE, 5), (BarLook.OVERDUE, 1)),
    -6: ((BarLook.DONE, 6),),
    -5: ((BarLook.DONE, 4), (BarLook.OVERDUE, 1)),
    -4: ((BarLook.DONE, 7),),
    -3: ((BarLook.DONE, 8), (BarLook.OVERDUE, 2)),
    -2: ((BarLook.DONE, 6),),
    0: ((BarLook.DONE, 1), (BarLook.DUE, 4)),
    1: ((BarLook.COMING, 2),),
    2: ((BarLook.COMING, 2),),
    4: ((BarLook.COMING, 2),),
    5: ((BarLook.COMING, 1),),
}
CATEGORIES = (
    ("Fish", 14, 62),
    ("Small animals", 7, 26),
    ("Birds", 6, 25),
    ("Reptiles", 4, 20),
    ("Pond", 3, 12),
    ("Invertebrates", 2, 12),
    ("Amphibians", 1, 10),
)


def said(name: str, parts: tuple[tuple[BarLook, int], ...]) -> str:
    """The words of a slot."""
    return f"{name}: {', '.join(f'{n} {_WORDS[look]}' for look, n in parts) or 'no orders'}"


def day_slot(by: int) -> ChartSlot:
    """The slot of a day, counted from the Monday."""
    day, parts = MONDAY + timedelta(by), _DAYS.get(by, ())
    return ChartSlot(
        key=day,
        label="Today" if not by else f"{day:%a} {day.day}",
        said=said(f"{day:%A} {day.day} {day:%B}", parts),
        name=day.isoformat(),
        parts=tuple(SlotPart(look, n) for look, n in parts),
        short=str(day.day),
        is_now=not by,
        has_rows=bool(parts),
    )


def orders() -> DayBars:
    """The orders of last week and this one."""
    earlier = ChartSlot("earlier", "Earlier", "Earlier: 2 overdue", "Earlier", (SlotPart(BarLook.OVERDUE, 2),))
    return DayBars(
        title="Orders by ship date, last week and this week",
        first_column="Ship date",
        columns=(
            ("Complete", BarLook.DONE),
            ("Overdue", BarLook.OVERDUE),
            ("Due today", BarLook.DUE),
            ("To come", BarLook.COMING),
        ),
        slots=(earlier, *map(day_slot, range(-7, 7))),
        headings=(
            DayHeading(1, "Last week", ((BarLook.DONE, "36 complete"), (BarLook.OVERDUE, "4 overdue"))),
            DayHeading(8, "This week", ((BarLook.DUE, "4 due today"), (BarLook.COMING, "7 to come"))),
        ),
        apart=1,
    )


def categories() -> CategoryBars:
    """The stock by category."""
    slots = [
        ChartSlot(
            name,
            name,
            f"{name}: {low} of {total} low",
            name,
            (SlotPart(BarLook.LOW, low), SlotPart(BarLook.REST, total - low)),
            figure=f"{low} of {total}",
            strong=str(low),
        )
        for name, low, total in CATEGORIES
    ]
    return CategoryBars(
        "Low stock by category", "Category", (("Low", BarLook.LOW), ("Not low", BarLook.REST)), tuple(slots)
    )


def stock_line(values: tuple[int, ...] = (60, 54, 54, 30, 12, 40, 38)) -> StepLine:
    """The stock of one pet, day by day."""
    points = [
        LinePoint(day * 86_400.0, value, f"Day {day}: {value} in stock", f"2026-11-{day + 1:02}", day)
        for day, value in enumerate(values)
    ]
    return StepLine(
        "Stock over time", ("Day", "In stock"), points, (len(values) + 1) * 86_400.0, "17 Nov", "today, 08:58"
    )
