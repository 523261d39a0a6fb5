"""Keeps a list's counts, notices and the page that stands instead of rows in step with the desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.desk.loads import LoadState
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.action_set import ONE_OF
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.tabs.list_bar import ListBar
from petstore_desktop.ui.words import number, plain_lines, tr
from petstore_desktop.ui.words_time import as_of

if TYPE_CHECKING:
    from petstore_desktop.ui.tabs.instead import InsteadOfRows
    from petstore_desktop.ui.tabs.resource_tab import ResourceTab


@dataclass(frozen=True, slots=True)
class ListFacts:
    """What the words need to know about a list. Times are UTC epoch seconds."""

    resource: Resource
    shop: str
    shown: int
    total: int
    filter_text: str
    load: LoadState
    offline_since: float | None
    now: float
    can_create: bool


class ListState(QObject):
    """For one list."""

    def __init__(self, tab: ResourceTab, bar: ListBar) -> None:
        super().__init__(tab)
        self._tab, self._bar = tab, bar
        self._parts, self._desk = tab.parts, tab.parts.shop.desk
        self._instead: InsteadOfRows | None = None
        self._notice = ""
        bar.notice.clicked.connect(self._notice_clicked)

    @property
    def instead(self) -> InsteadOfRows:
        """The page that stands where rows would; made when it is first needed."""
        if self._instead is None:
            self._instead = opening.instead_of_rows(self._tab, self)
        return self._instead

    def facts(self) -> ListFacts:
        """What is known about the list now."""
        desk, tab = self._desk, self._tab
        connection = desk.connection_state()
        return ListFacts(
            tab.resource,
            self._parts.shop.profile.name,
            tab.table.row_count,
            tab.table.total,
            tab.table.filter_text,
            desk.load(tab.resource),
            connection.at if connection.word == "offline" else None,
            self._parts.now(),
            bool(tab.spec.main) and desk.allowed(f"new-{ONE_OF[tab.resource]}").ok,
        )

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
        self._bar.set_counts(counts_line(facts))
        kind, words = _notice(facts.load) if facts.total else ("", "")
        self._notice = kind
        self._bar.set_notice(words)

    def _notice_clicked(self) -> None:
        does = {"stop": self.stop, "again": self.again, "failed": self.show_raw, "aside": self._show_aside}
        if self._notice:
            does[self._notice]()

    def stop(self) -> None:
        """Stop reading; what has come stays."""
        self._parts.shop.cancel_load(self._tab.resource)

    def again(self) -> None:
        """Read anew."""
        self._parts.shop.refresh((self._tab.resource,), by_person=True)

    def show_raw(self) -> None:
        """The answer that made reading fail."""
        error = self._desk.load(self._tab.resource).error
        if error is not None:
            opening.open_failure(self._bar.window(), error, tr("Try again"), self.again)

    def _show_aside(self) -> None:
        aside = self._desk.load(self._tab.resource).set_aside
        title = tr("{n} records could not be read", "", len(aside), one="{n} record could not be read")
        opening.open_raw(self._bar.window(), title, plain_lines("\n".join(aside)), tr("All others are shown."))


def _notice(load: LoadState) -> tuple[str, str]:
    if load.phase == "loading":
        return "stop", tr("Stop")
    if load.phase == "failed":
        return "failed", tr("Could not be read anew")
    if load.phase == "cancelled":
        return "again", tr("Go on")
    if load.set_aside:
        n = len(load.set_aside)
        return "aside", tr("{n} records set aside", "", n, one="{n} record set aside")
    return "", ""


def progress(load: LoadState) -> str:
    """`1,200 of 10,000`, or `1,200 so far` where the service does not say how many there are."""
    if load.total:
        return tr("{done} of {total}", done=number(load.done), total=number(load.total))
    return tr("{n} so far", "", load.done)


def counts_line(facts: ListFacts) -> str:
    """The tool bar's line: `212 of 1,904, as of 14:02`, or how far reading is."""
    load = facts.load
    rows = number(facts.total)
    if facts.filter_text:
        rows = tr("{shown} of {total}", shown=number(facts.shown), total=rows)
    if load.phase == "loading":
        return tr("{rows}, reading: {progress}", rows=rows, progress=progress(load))
    parts = [rows]
    if load.as_of is not None:
        parts.append(as_of(load.as_of, facts.now))
    if load.cut_at is not None:
        parts.append(tr("the service shows at most {n} in one answer", "", load.cut_at))
    if load.phase == "cancelled":
        parts.append(tr("reading was stopped"))
    return tr(", ", "between parts of a line").join(parts)
