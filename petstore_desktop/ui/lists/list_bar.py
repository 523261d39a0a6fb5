"""A list's tool bar, and what keeps its counts, notices and the page instead of rows in step with the desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.load_state import Costs, LoadState, Waits
from petstore_desktop.domain.commands import CancelLoad, Refresh
from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.domain.quota import ONLY_CHANGES, Cause
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.bars.tool_bar import ToolBar
from petstore_desktop.ui.base.building import named, timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.action_set import ONE_OF, ActionSet
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.tab_specs import TabSpec
from petstore_desktop.ui.lists.list_facts import ListFacts, active, counts_in_line, progress
from petstore_desktop.ui.text.orders import untold_open_words
from petstore_desktop.ui.text.times import as_of
from petstore_desktop.ui.text.translate import number, plain_lines, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.fields import SearchField
from petstore_desktop.ui.widgets.labels import LinkLabel, say, set_tip

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.empty_overlay import InsteadOfRows
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


_FILTER_WIDTH, _FILTER_LEAST = 200, 104
_GO_FIRST = ("refresh", "importFile", "editStock", "chooseColumns")
"""Into the menu of what there is no room for, in this order."""
_NOTICED_S = 2.0
"""A wait that is shorter is over before its words are read."""
_NOTICED_MS = 400
"""So is a reading."""


class TextFilterField(SearchField):
    """The one filter over all columns; Down goes to the rows as Enter does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Filter"), "", parent)
        named(self, "filterField", tr("Filter over all columns"))
        self.setMinimumWidth(current().scaled(_FILTER_LEAST))
        self.setMaximumWidth(current().scaled(_FILTER_WIDTH))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.updateGeometry()  # there may be no room for it any more

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.returnPressed.emit()
        else:
            super().keyPressEvent(event)


class ListBar(ToolBar):
    """`notice` is a link beside the counts: stop reading, try again, the records set aside."""

    def __init__(self, spec: TabSpec, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(spec.view(), parent)
        self.set_opens("viewName", tr("Views of this list"))
        self.notice = named(LinkLabel(""), "listNotice")
        self.notice.hide()
        self.add_left(self.notice)
        self.filter = TextFilterField(self)
        self.add_widget(self.filter)
        self.buttons: list[Button] = []
        for name, kind in spec.tools:
            if kind == "plain":
                self._add_columns(actions)
            self.buttons.append(self.add_action(actions[name], kind))
            if name == spec.main:
                self.buttons[-1].setObjectName("newButton")
        if "columns" not in self.__dict__:
            self._add_columns(actions)
        names = [button.objectName() for button in self.buttons]
        going = [self.buttons[names.index(f"{name}Button")] for name in _GO_FIRST if f"{name}Button" in names]
        self.give_way(self.filter, going)

    def _add_columns(self, actions: ActionSet) -> None:
        """What opens the list of columns: before the filled button, the only one of its kind."""
        self.columns = self.add_action(actions["chooseColumns"], "icon", "columns")
        self.buttons.append(self.columns)

    def ask_filter(self) -> None:
        """Give the keyboard to the filter field, which is there for that where there was no room for it."""
        self.filter.show()
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()


class CountsAndNotices(QObject):
    """Keeps the counts and notices of one list, and the page instead of its rows, up to date."""

    def __init__(self, tab: ResourceTab, bar: ListBar) -> None:
        super().__init__(tab)
        self._tab, self._bar = tab, bar
        self._shared, self._desk = tab.shared, tab.shared.shop.desk
        self._instead: InsteadOfRows | None = None
        self._notice = ""
        self._expected: tuple[int, int, str, Mapping[str, str]] | None = None
        self._waited = self._reading = False
        self._patience = timer(self, _NOTICED_MS, self.refresh_counts, once=True)
        bar.notice.clicked.connect(self._notice_clicked)

    @property
    def instead(self) -> InsteadOfRows:
        """The page that stands where rows would; made when it is first needed."""
        if self._instead is None:
            from petstore_desktop.ui.lists.empty_overlay import InsteadOfRows  # late: after the first paint

            tab = self._tab
            self._instead = InsteadOfRows(tab.view, tab.table, self, tab.shared.actions)
        return self._instead

    def expect(self, counts: Sequence[int], *, in_part: bool) -> None:
        """As many rows as these, shown and in all, will be here as soon as they are read; `in_part`: of more."""
        if len(counts) == 2:
            total = AtLeast(counts[1]) if in_part else counts[1]
            self._expected = (counts[0], total, self._tab.table.filter_text, dict(self._tab.table.column_filters))

    def _rows(self, load: LoadState) -> tuple[int, int]:
        """Rows shown, and rows in all."""
        table = self._tab.table
        if self._expected is not None and load.phase == "reading":
            shown, total, *filters = self._expected
            if filters == [table.filter_text, table.column_filters]:
                return shown, total
        return table.row_count, table.total

    def facts(self) -> ListFacts:
        """The present state of the list."""
        desk, tab = self._desk, self._tab
        connection = desk.connection_state()
        load, now = desk.load(tab.resource), self._desk.now()
        return ListFacts(
            tab.resource,
            self._shared.shop.connection.name,
            *self._rows(load),
            active(tab.table),
            load,
            connection.at if connection.word == "offline" else None,
            now,
            bool(tab.spec.main) and desk.allowed(f"new-{ONE_OF[tab.resource]}").ok,
            self._wait(load, now),
            _costs(load.costs, now),
            desk.contract is None or desk.contract.offers(tab.resource, Verb.LIST),
            desk.allowed(f"look-up-{tab.resource.value}").ok,
            bool(desk.shop.minimums),
            self._silence(),
            desk.counts if desk.contract is not None and desk.contract.counts is not None else None,
        )

    def _silence(self) -> str:
        filters = self._tab.table.column_filters
        if not filters or self._tab.table.row_count:
            return ""
        from petstore_desktop.ui.text.filters import rests_on_open, silence_words  # late: few are empty so

        orders = self._tab.resource is Resource.ORDERS
        if orders and any(rests_on_open(*one) for one in filters.items()) and not self._desk.shop.tells_open:
            return untold_open_words()
        marks = filters.get("gutter", "").strip()
        return marks and silence_words(self._desk.shop, marks, self._shared.shop.connection.name)

    def _wait(self, load: LoadState, now: float) -> str:
        """A short wait is not worth words; once there are some, they stay until it is over."""
        waits = load.waits or self._held_up(load)
        if waits is None or (waits.until is not None and waits.until <= now):
            self._waited = False
            return ""
        self._waited = self._waited or waits.until is None or waits.until - now >= _NOTICED_S
        if not self._waited:
            return ""
        from petstore_desktop.ui.text.loading import waits_words  # late: mostly nothing waits

        return waits_words(waits, self._desk.outbox.unsent, now)

    def _held_up(self, load: LoadState) -> Waits | None:
        """A list that was never read waits for the same reason as all requests."""
        blocked = self._desk.send_block() if load.phase in ("reading", "never") else None
        if blocked is None or blocked.cause in (*ONLY_CHANGES, Cause.OFFLINE):
            return None
        return Waits(blocked.until, blocked.cause)

    def refresh(self) -> None:
        """Bring counts, notice and page up to date."""
        facts = self.facts()
        self._set_counts(facts)
        if self._instead is not None or not facts.shown:
            self.instead.refresh(facts, self._tab.spec.main)

    def refresh_counts(self) -> None:
        """Only the line of counts and ages."""
        self._set_counts(self.facts())

    def _set_counts(self, facts: ListFacts) -> None:
        facts = replace(facts, load=self._calm(facts))
        self._bar.set_counts(counts_line(facts))
        kind, words = _notice(facts.load) if facts.total else ("", "")
        self._notice = kind
        say(self._bar.notice, words)
        set_tip(self._bar.notice, _cut_words(facts.load.gaps.cut_at) if kind == "cut" else "")

    def _calm(self, facts: ListFacts) -> LoadState:
        """The load state to show: a present list that is refreshed in a moment stays unchanged."""
        load, begins = facts.load, not self._reading
        self._reading = load.phase == "loading"
        if not self._reading:
            self._patience.stop()
        elif begins:
            self._patience.start()
        short = self._patience.isActive() and facts.total and load.as_of is not None and not facts.wait
        return replace(load, phase="ready") if short else load

    def _notice_clicked(self) -> None:
        does = {"stop": self.stop, "again": self.again, "failed": self.show_raw, "aside": self.show_aside}
        does["cut"] = self._say_cut
        if self._notice:
            does[self._notice]()

    def _say_cut(self) -> None:
        self._shared.say(Message(_cut_words(self._desk.load(self._tab.resource).gaps.cut_at), "info"))

    def drop_filter(self, column_id: str) -> None:
        """Take away the filter of a column, or ("") the one over all."""
        self._tab.filters.drop(column_id)
        self._tab.focus_list()

    def is_filtered_by_view(self) -> bool:
        """Whether the open view has a filter of its own, which Esc does not take away."""
        own = self._shared.views.current(self._tab.resource)
        return bool(own.text or own.filters)

    def stop(self) -> None:
        """Stop reading; the rows that came stay."""
        self._shared.shop.submit(CancelLoad(self._tab.resource))

    def again(self) -> None:
        """Read the list again."""
        self._shared.shop.submit(Refresh((self._tab.resource,)))

    def show_raw(self) -> None:
        """The answer that made reading fail."""
        error = self._desk.load(self._tab.resource).error
        if error is not None:
            from petstore_desktop.ui.questions.raw_answer import open_failure  # late: only when asked

            open_failure(self._bar.window(), error, tr("Try again"), self.again)

    def show_aside(self) -> None:
        """What could not be read, and why."""
        gaps = self._desk.load(self._tab.resource).gaps
        title = tr("{n} records set aside", "", gaps.set_aside, one="{n} record set aside")
        others = tr("All others are shown.") if self._tab.table.total else tr("None is shown; all are safe there.")
        from petstore_desktop.ui.questions.raw_answer import open_raw  # late: only when asked

        said, more = list(gaps.reasons), gaps.set_aside - len(gaps.reasons)
        if said and more > 0:
            said.append(tr("and {n} more", "", more))
        open_raw(self._bar.window(), title, plain_lines("\n".join(said)), others)


def _costs(costs: Costs | None, now: float) -> str:
    if costs is None:
        return ""
    from petstore_desktop.ui.text.loading import costs_words  # late: only a long reading has a price

    return costs_words(costs, now)


def _notice(load: LoadState) -> tuple[str, str]:
    if load.phase == "loading":
        return "stop", tr("Stop")
    if load.phase == "failed":
        return "failed", tr("Could not be refreshed")
    if load.phase == "cancelled":
        return "again", tr("Continue")
    gaps = load.gaps
    if gaps.set_aside:
        return "aside", tr("{n} records set aside", "", gaps.set_aside, one="{n} record set aside")
    if gaps.missing:
        return "again", tr("{n} records may be gone", "", gaps.missing, one="{n} record may be gone")
    return ("", "") if gaps.cut_at is None else ("cut", tr("Incomplete"))


def _cut_words(cut_at: int | None) -> str:
    """Why a list is here in part only."""
    if cut_at is None:
        return ""
    return tr("The service shows at most {n} in one answer. The others are not here.", "", cut_at)


def counts_line(facts: ListFacts) -> str:
    """The tool bar's line: `212 of 1,904, as of 14:02`, or how far reading is; of pets also what the service counts
    where that is something else."""
    line = _rows_line(facts)
    if facts.resource is not Resource.PETS or facts.counts is None or not facts.counts.differing:
        return line
    if facts.load.phase not in ("ready", "empty"):
        return line
    return counts_in_line(line, facts.counts, facts.now)


def _rows_line(facts: ListFacts) -> str:
    load = facts.load
    total = number(load.counted(facts.total) if facts.listed else facts.total)
    rows = tr("{total}", "how many rows a list has", total=total)
    if facts.filters:
        rows = tr("{shown} of {total}", shown=number(facts.shown), total=total)
    if load.phase == "loading" and (load.done or not facts.wait):
        said, more = tr("{rows}, reading: {progress}", rows=rows, progress=progress(load)), facts.price or facts.wait
        return tr("{reading} · {more}", reading=said, more=more) if more else said
    parts = [rows]
    if load.as_of is None and not facts.total:  # what was not read is not counted
        parts = [] if load.phase == "reading" else [tr("not known")]
    if not facts.listed:
        return tr("{rows}, looked up one by one", rows=rows) if facts.total else ""
    if load.as_of is not None:
        parts.append(as_of(load.as_of, facts.now))
    if load.phase == "cancelled":
        parts.append(tr("reading was stopped"))
    elif load.as_of is None and facts.total and load.phase != "reading":
        parts.append(tr("not read to its end"))
    if facts.wait:
        parts.append(facts.wait)
    return tr(", ", "between parts of a line").join(parts)
