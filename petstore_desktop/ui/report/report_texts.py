"""The words of a report: its title, what its numbers are of, its figures, and what the history cannot know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from petstore_desktop.desk.report.period import Period, PeriodKind
from petstore_desktop.desk.report.report import OTHERS, Figure, Report
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.changes.seen import kind_title, pieces_words, who_counts
from petstore_desktop.ui.text.times import full_day, on_paper
from petstore_desktop.ui.text.translate import (
    counted_changes,
    number,
    resource_title,
    sentences,
    signed,
    status_word,
    tr,
)

if TYPE_CHECKING:
    from datetime import date

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.past import SeenGroup

_COMMA: Final = "between parts of a line"


class ShopSaid(Struct, frozen=True):
    """What stands on a report about the shop itself, at the moment when it was looked at."""

    shop: str
    made_at: float
    lines: tuple[str, ...]


def period_choices() -> list[tuple[str, str]]:
    """The periods to choose from, each with its words."""
    return [
        (PeriodKind.THIS_WEEK, tr("This week")),
        (PeriodKind.LAST_WEEK, tr("Last week")),
        (PeriodKind.THIS_MONTH, tr("This month")),
        (PeriodKind.LAST_MONTH, tr("Last month")),
        (PeriodKind.DAYS, tr("From one day to another")),
    ]


def days_words(period: Period) -> str:
    """`Mon 16 Nov 2026 – Sun 22 Nov 2026`."""
    if period.first == period.last:
        return full_day(period.first)
    return tr("{first} – {last}", "from one day to another", first=full_day(period.first), last=full_day(period.last))


def title_words(period: Period) -> str:
    """What the report is called."""
    return tr("Report, {days}", days=days_words(period))


def said_of(desk: Desk, name: str) -> ShopSaid:
    """Say how old the lists are, what of them is missing, and what is not sent yet."""
    states = [(one, desk.load(one)) for one in Resource]
    offered = [(one, state) for one, state in states if state.phase != "not-offered"]
    times = [state.as_of for _, state in offered if state.as_of is not None]
    missing = [resource_title(one) for one, state in offered if state.as_of is None]
    cut = [resource_title(one) for one, state in offered if state.as_of is not None and state.gaps.cut_at is not None]
    unread = sum(state.gaps.set_aside for _, state in offered)
    absent = [resource_title(one) for one, state in states if state.phase == "not-offered"]
    unsent = desk.outbox.unsent
    lines = (
        tr("Numbers of now as of {time}.", time=on_paper(min(times))) if times else "",
        tr("Not wholly read yet: {lists}.", lists=tr(", ", _COMMA).join(missing)) if missing else "",
        tr("Not counted, because not all of it is here: {lists}.", lists=tr(", ", _COMMA).join(cut)) if cut else "",
        tr(
            "{n} records are set aside and not counted.",
            "",
            unread,
            one="{n} record is set aside and not counted.",
        )
        if unread
        else "",
        tr("Not offered by the service: {lists}.", lists=tr(", ", _COMMA).join(absent)) if absent else "",
        tr("{changes} not sent yet are counted in.", changes=counted_changes(unsent)) if unsent else "",
    )
    return ShopSaid(plain(name), desk.now(), (sentences(*lines),))


def known_words(report: Report, begin: float) -> str:
    """Say from when on the history tells, and what it cannot know."""
    first = report.span.first
    if first is None:
        return tr("There is no history yet: what was before is not known.")
    if report.since is None:
        return tr("The history begins on {time}: nothing is known of these days.", time=on_paper(first))
    if report.since > begin:
        return tr("What changed is known since {time}, when the history on this computer begins.", time=on_paper(first))
    return ""


def caution_words() -> str:
    """Say how the changes of a period are found."""
    return tr("A change belongs to the day on which it was first seen. What changed and changed back is not counted.")


# ---- figures

_FIGURES: Final[Mapping[str, Callable[[], str]]] = {
    "pets": lambda: tr("Pets"),
    OTHERS: lambda: tr("with other statuses"),
    "no-status": lambda: tr("without a status"),
    "pieces": lambda: tr("Pieces in stock"),
    "low": lambda: tr("Low stock"),
    "none_left": lambda: tr("None left"),
    "open_orders": lambda: tr("Open orders"),
    "overdue": lambda: tr("Overdue orders"),
}
_PART_OF_PETS: Final = frozenset(("", OTHERS, "no-status"))


def is_part(figure: Figure) -> bool:
    """Whether it is a part of the line above it."""
    return figure.code in _PART_OF_PETS


def figure_words(figure: Figure) -> str:
    """Name what a line of figures counts."""
    return _FIGURES[figure.code]() if figure.code else plain(status_word(figure.status))


def figure_table(report: Report) -> tuple[list[str], list[list[str]]]:
    """The header and the lines of the figures, without columns of which nothing is known; what else is not known says
    so. No lines where nothing at all is known."""
    columns: list[tuple[str, list[str]]] = [("", [figure_words(one) for one in report.figures])]
    if report.before is not None:
        columns.append((_before_head(report, report.before.day), [_known(one.before) for one in report.figures]))
    if report.after is not None:
        columns.append((_after_head(report), [_known(one.after) for one in report.figures]))
    if len(columns) > 2:
        columns.append((tr("Change"), [_signed(one.change) for one in report.figures]))
    if len(columns) == 1:
        return [], []
    return [head for head, _ in columns], [list(line) for line in zip(*(line for _, line in columns), strict=True)]


def _before_head(report: Report, day: date) -> str:
    if report.begins_within and report.since is not None:
        return tr("From {time}", time=on_paper(report.since))
    return tr("Before: {day}", day=full_day(day))


def _after_head(report: Report) -> str:
    if not report.is_over:
        return tr("Now")
    return tr("End") if report.after is None else tr("End: {day}", day=full_day(report.after.day))


def _signed(by: int | None) -> str:
    if by is None:
        return ""
    return signed(by) if by else number(by)


def _known(value: int | None) -> str:
    return tr("not known") if value is None else number(value)


def group_row(group: SeenGroup) -> tuple[str, str, str, str]:
    """How many changes there are, by how many pieces, and by whom."""
    pieces = pieces_words(group.pieces) if group.pieces else ""
    return kind_title(group.kind), number(group.count), pieces, who_counts(group)


def no_changes_words(report: Report) -> str:
    """In the place of changes where there are none."""
    if report.since is None:
        return tr("What changed in these days is not known.")
    if report.span.untold:
        return tr("No change is known in these days.")
    return tr("Nothing was seen to change in these days.")


def no_stock_words(report: Report) -> str:
    """In the place of the stock by category where there is none."""
    if report.after is None or report.after.stock is None:
        return tr("The stock at the end of these days is not known.") if report.is_over else tr("Not known.")
    return tr("There is no stock.")
