"""The page that stands where rows would, while a list has none to show or is being read: each state with its own words
and next action, and what dropping each filter would bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTableView

from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.errors import AnswerUnusable, ServiceError
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import ActionSet
from petstore_desktop.ui.lists.list_facts import ActiveFilter, ListFacts, active, counts_in_page, progress
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.filters import code_of, filter_words, nothing_words
from petstore_desktop.ui.text.times import as_of, moment
from petstore_desktop.ui.text.translate import counted, quoted, sentences, tr
from petstore_desktop.ui.widgets.empty_state import EmptyRow, EmptyState

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.list_bar import CountsAndNotices


_SIGNS = frozenset("|!=<>")
"""Of the filters below a header; the filter over all columns looks for the signs themselves."""


class StateWords(Struct, frozen=True):
    """`primary` and `quiet` name actions: of the window, or of the tab (`stopLoading`, `tryAgain`, `dropFilter`...)."""

    title: str
    what: str = ""
    why: str = ""
    progress: str = ""
    fraction: float | None = None
    primary: str = ""
    quiet: str = ""
    rows: tuple[EmptyRow, ...] = ()
    """What dropping each filter would bring; the target is its column, "" for the filter over all columns."""


def instead_of_rows(facts: ListFacts, create_action: str) -> StateWords | None:
    """The words that stand where rows would, or None where there are rows."""
    if facts.shown:
        return None
    if facts.total and facts.filters:
        return _filtered(facts, create_action)
    said = _PHASES.get(facts.load.phase)
    if said is not None:
        return said(facts)
    if facts.offline_since is not None:
        return _offline(facts)
    if facts.load.phase in ("reading", "never"):
        return StateWords(tr("Reading {things}", things=things(facts.resource)), _goes(facts) or tr("One moment."))
    if facts.load.gaps.set_aside:
        return _all_aside(facts)
    return _empty(facts, create_action) if facts.load.gaps.cut_at is None else _none_shown(facts)


def _none_shown(facts: ListFacts) -> StateWords:
    """The service counts records and shows none of them: that is not an empty shop."""
    title = tr("None of {things} can be shown", things=things(facts.resource))
    return StateWords(title, tr("The service counts more than it shows."), primary="refresh")


def _all_aside(facts: ListFacts) -> StateWords:
    """There are records, and none that this program can read: that is not an empty shop."""
    reasons = facts.load.gaps.reasons
    n = facts.load.gaps.set_aside
    return StateWords(
        tr("None of {things} can be shown", things=things(facts.resource)),
        tr(
            "The service sent {n} records that this program cannot read; they are safe there.",
            "",
            n,
            one="The service sent {n} record that this program cannot read; it is safe there.",
        ),
        tr("The first one: {reason}", reason=isolate(plain(reasons[0]))) if reasons else "",
        primary="showAside",
        quiet="refresh",
    )


def _failed(facts: ListFacts) -> StateWords:
    title = tr("{things} could not be read", things=things(facts.resource, sentence=True))
    if facts.load.error is None:
        return StateWords(title, primary="tryAgain")
    words = error_words(facts.load.error)
    quiet = "rawAnswer" if isinstance(facts.load.error, ServiceError | AnswerUnusable) else ""  # else nothing answered
    return StateWords(title, words.what, f"{words.safe} {words.do}", primary="tryAgain", quiet=quiet)


def _cancelled(_facts: ListFacts) -> StateWords:
    return StateWords(
        tr("Reading was stopped"),
        tr("None of it is on this computer yet."),
        tr("It continues where it stopped."),
        primary="tryAgain",
    )


def things(resource: Resource, sentence: bool = False) -> str:
    """The records as a word inside a sentence, or at its beginning."""
    if sentence:
        return {
            Resource.PETS: tr("The pets"),
            Resource.CATEGORIES: tr("The categories"),
            Resource.ORDERS: tr("The orders"),
            Resource.INVENTORY: tr("The stock"),
        }[resource]
    return {
        Resource.PETS: tr("the pets"),
        Resource.CATEGORIES: tr("the categories"),
        Resource.ORDERS: tr("the orders"),
        Resource.INVENTORY: tr("the stock"),
    }[resource]


def _filtered(facts: ListFacts, create_action: str) -> StateWords:
    if not facts.minimums and _is_low_alone(facts):
        return _no_minimum(facts.resource)
    if facts.silence:
        return StateWords(tr("This cannot be checked now"), facts.silence, primary="dropFilter")
    said = _said(facts)
    titles = {
        Resource.PETS: tr("No pet matches {filter}", filter=said),
        Resource.CATEGORIES: tr("No category matches {filter}", filter=said),
        Resource.ORDERS: tr("No order matches {filter}", filter=said),
        Resource.INVENTORY: tr("No stock entry matches {filter}", filter=said),
    }
    count = counted(facts.resource, facts.total)
    searched = tr("All {things} were searched.", things=count)
    if facts.load.lacks_records:
        searched = tr("{things} were searched; not all are here.", things=count)
    quiet = create_action if facts.can_create else ""
    several = len(facts.filters) > 1
    rows = tuple(_without(facts.resource, one) for one in facts.filters) if several else ()
    primary = "dropFilters" if several else "dropFilter"
    only = facts.filters[0]
    title = "" if several else nothing_words(facts.resource, only.column, only.text)
    hint = ""
    if any(not one.column and _SIGNS.intersection(one.text) for one in facts.filters):
        hint, quiet = tr("Signs such as | and ! work in the filters below the headers."), "filterColumn"
    return StateWords(title or titles[facts.resource], searched, hint, primary=primary, quiet=quiet, rows=rows)


def _is_low_alone(facts: ListFacts) -> bool:
    named = [(one.column, code_of(facts.resource, one.column, one.text)) for one in facts.filters]
    return named == [("stock", "low")]


def _no_minimum(resource: Resource) -> StateWords:
    """Nothing can be low: that is not the same as enough of everything."""
    title = tr("No minimum stock is set")
    what = tr("A stock is low when it is at or below its minimum; without one, nothing is ever low.")
    if resource is Resource.INVENTORY:
        hint = tr("Type it in the column Minimum, or select categories and choose Shop > Minimum stock.")
        return StateWords(title, what, hint, primary="setMinimums", quiet="dropFilter")
    hint = tr("To set one, select pets, stock or categories, then choose Shop > Minimum stock.")
    return StateWords(title, what, hint, primary="dropFilter")


def _said(facts: ListFacts) -> str:
    one, *more = facts.filters
    if more:
        return tr("these {n} filters", "", len(facts.filters))
    if not one.column:
        return quoted(isolate(plain(one.text.strip())))
    return filter_words(facts.resource, one.column, one.text)


def _without(resource: Resource, one: ActiveFilter) -> EmptyRow:
    count = "" if one.without is None else counted(resource, one.without)
    return EmptyRow(tr("Without"), filter_words(resource, one.column, one.text), count, one.column)


def _loading(facts: ListFacts) -> StateWords:
    return StateWords(
        tr("Reading {things}", things=things(facts.resource)),
        tr("Rows show as they come."),
        _goes(facts),
        progress=progress(facts.load),
        fraction=facts.load.done / facts.load.total if facts.load.total else None,
        primary="stopLoading",
    )


def _goes(facts: ListFacts) -> str:
    """The reason why reading waits, and its cost."""
    waits = tr("Waiting: {wait}.", wait=facts.wait) if facts.wait else ""
    costs = tr("It takes {price}.", price=facts.price) if facts.price else ""
    return sentences(waits, costs)


def _not_offered(facts: ListFacts) -> StateWords:
    shop = isolate(plain(facts.shop))
    said = "" if facts.counts is None or facts.resource is not Resource.INVENTORY else counts_in_page(facts.counts)
    if said and facts.counts is not None:
        title = tr("{shop} counts its pets by status only", shop=shop)
        why = tr("It was asked when the pets were read, {age}.", age=as_of(facts.counts.as_of, facts.now))
        return StateWords(title, said, why, quiet="operations")
    title = tr("{shop} does not offer this list", shop=shop)
    what = tr("Its document has no operation that lists {things}.", things=things(facts.resource))
    if facts.can_look_up:
        why = tr("Look up single records by id; they stay here.")
        return StateWords(title, what, why, primary="lookUp", quiet="operations")
    why = tr("The other tabs work. If the list has another name, choose it in File > Operations.")
    return StateWords(title, what, why, primary="operations")


def _offline(facts: ListFacts) -> StateWords:
    since = moment(facts.offline_since or facts.now, facts.now)
    return StateWords(
        tr("Nothing is on this computer yet"),
        tr("The service cannot be reached since {time}.", time=since),
        tr("The list loads when the network is back. Your edits are kept."),
        primary="tryAgain",
    )


def _empty(facts: ListFacts, create_action: str) -> StateWords:
    titles = {
        Resource.PETS: tr("This shop has no pets yet"),
        Resource.CATEGORIES: tr("This shop has no categories yet"),
        Resource.ORDERS: tr("This shop has no orders"),
        Resource.INVENTORY: tr("This shop has no stock entries"),
    }
    what = {
        Resource.PETS: tr("What you add here is saved at once and sent to the service."),
        Resource.CATEGORIES: tr("A pet belongs to a category: add the first one here."),
        Resource.ORDERS: tr("Orders that come in at the service are shown here."),
        Resource.INVENTORY: tr("Entries that the service keeps for its pets are shown here."),
    }
    age = tr("Read {age}.", age=as_of(facts.load.as_of, facts.now)) if facts.load.as_of is not None else ""
    if facts.can_create:
        return StateWords(titles[facts.resource], what[facts.resource], age, primary=create_action, quiet="refresh")
    return StateWords(titles[facts.resource], what[facts.resource], age, primary="refresh")


_PHASES: Mapping[str, Callable[[ListFacts], StateWords]] = {
    "not-offered": _not_offered,
    "failed": _failed,
    "loading": _loading,
    "cancelled": _cancelled,
}


_TURN_S = 0.004
"""Seconds that rows are counted before other work has its turn."""


class InsteadOfRows(QObject):
    """Lies over the rows, below the header, which stays."""

    def __init__(self, view: QTableView, table: Table, state: CountsAndNotices, actions: ActionSet) -> None:
        super().__init__(view)
        self._asked: tuple[ListFacts, str] | None = None
        self._view, self._table, self._state, self._actions = view, table, state, actions
        self._counting, self._counted = tuple[ActiveFilter, ...](), tuple[ActiveFilter, ...]()
        """The filters that are being counted, and those that `_without` belongs to."""
        self._without: Mapping[str, int] = {}
        """Of each filter, how many rows there are without it."""
        self._work = SlicedWork(self, _TURN_S, self._take_counts)
        self.page = EmptyState(view)
        self.page.hide()
        self._shown: object = None
        self._own = {
            "stopLoading": self._action(tr("Stop reading"), state.stop),
            "tryAgain": self._action(tr("Try again"), state.again),
            "rawAnswer": self._action(tr("Server response"), state.show_raw),
            "showAside": self._action(tr("Records set aside"), state.show_aside),
            "dropFilter": self._action(tr("Clear filter"), actions["clearFilter"].trigger),
            "setMinimums": self._action(tr("Set minimums…"), self._to_minimums),
        }
        self._own["dropFilters"] = self._action(tr("Clear all filters"), actions["clearFilter"].trigger)
        self.page.rowActivated.connect(state.drop_filter)
        view.viewport().installEventFilter(self)

    def _action(self, text: str, do: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _checked=False: do())
        return action

    def _to_minimums(self) -> None:
        """All rows, at the cell where the first one's minimum is typed."""
        self._actions["clearFilter"].trigger()
        column = next((n for n, one in enumerate(self._table.columns) if one.level == "minimum"), -1)
        if self._view.isColumnHidden(column):
            self._view.showColumn(column)
        self._view.setCurrentIndex(self._view.model().index(0, column))
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self, facts: ListFacts, create_action: str) -> None:
        """Show what the list's state asks for, or the rows."""
        self._asked = (facts, create_action)
        if facts.shown or len(facts.filters) < 2:
            self._work.stop()
            self._counted = ()
        else:  # the old counts are shown until there are new ones
            self._counting = active(self._table)
            self._work.begin(self._table.counts_without())
        self._show()

    def _take_counts(self, found: Mapping[str, int]) -> None:
        if (found, self._counting) != (self._without, self._counted):
            self._without, self._counted = found, self._counting
            self._show()

    def _filters(self) -> tuple[ActiveFilter, ...]:
        """The present filters, with their counts where these are known."""
        now = active(self._table)
        known: Mapping[str, int] = self._without if now == self._counted else {}
        return tuple(replace(one, without=known.get(one.column)) for one in now)

    def _show(self) -> None:
        if self._asked is None:
            return
        facts, create_action = self._asked
        facts = facts if facts.shown else replace(facts, filters=self._filters())
        words = instead_of_rows(facts, create_action)
        if words is not None:
            # Only shown beside the button: Esc in the filter field and in the table does it, never for the view's own.
            key = "" if self._state.is_filtered_by_view() else "Esc"
            for name in ("dropFilter", "dropFilters"):
                self._own[name].setShortcut(key)
        if words is not None and words != self._shown:
            primary, quiet = self._find(words.primary), self._find(words.quiet)
            self.page.set_content(words.title, words.what, words.why, words.rows, primary, quiet)
            self.page.set_progress(words.progress, words.fraction)
        self._shown = words
        if words is not None:
            self._place()
        self.page.setVisible(words is not None)

    def _find(self, name: str) -> QAction | None:
        if not name:
            return None
        return self._own[name] if name in self._own else self._actions[name]

    def _place(self) -> None:
        self.page.setGeometry(self._view.viewport().geometry())
        self.page.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self.page.isHidden():
            self._place()
        return super().eventFilter(watched, event)
