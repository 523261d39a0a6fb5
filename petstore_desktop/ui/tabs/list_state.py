"""Keeps a list's counts, notices and the page that stands instead of rows in step with the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from petstore_desktop.desk.loads import LoadState
from petstore_desktop.ui.action_set import ONE_OF
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.tabs.list_bar import ListBar
from petstore_desktop.ui.tabs.specs import TabSpec
from petstore_desktop.ui.tabs.states import ListFacts, counts_line, instead_of_rows
from petstore_desktop.ui.widgets.empty_state import EmptyState
from petstore_desktop.ui.words import tr
from petstore_desktop.ui.words_errors import error_words, plain_lines

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.table import Table
    from petstore_desktop.ui.parts import WindowParts


class ListState(QObject):
    """For one list: `page` is the widget that stands where rows would."""

    def __init__(self, spec: TabSpec, parts: WindowParts, table: Table, bar: ListBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._spec, self._parts, self._table, self._bar = spec, parts, table, bar
        self._desk = parts.shop.desk
        self.page = EmptyState()
        self._shown: object = None
        self._own = {
            "stopLoading": self._action(tr("Stop reading"), self._stop),
            "tryAgain": self._action(tr("Try again"), self._again),
            "rawAnswer": self._action(tr("Raw answer"), self._raw),
            "dropFilter": self._action(tr("Clear filter"), parts.actions["clearFilter"].trigger),
        }
        # Only shown beside the button: Esc in the filter field and in the table does it.
        self._own["dropFilter"].setShortcut("Esc")
        bar.notice.clicked.connect(self._notice_clicked)
        self._notice = ""

    def _action(self, text: str, do: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(do)
        return action

    def facts(self) -> ListFacts:
        """What is known about the list now."""
        desk, resource = self._desk, self._spec.resource
        connection = desk.connection_state()
        return ListFacts(
            resource,
            self._parts.shop.profile.name,
            self._table.row_count,
            self._table.total,
            self._table.filter_text,
            desk.load(resource),
            connection.at if connection.word == "offline" else None,
            self._parts.now(),
            bool(self._spec.main) and desk.allowed(f"new-{ONE_OF[resource]}").ok,
        )

    def refresh(self) -> bool:
        """Bring everything up to date; whether the page stands instead of rows."""
        facts = self.facts()
        self._set_counts(facts)
        words = instead_of_rows(facts, self._spec.main)
        if words is None:
            self._shown = None
            return False
        if words != self._shown:
            self._shown = words
            self.page.set_content(
                words.title, words.what, words.why, (), self._find(words.primary), self._find(words.quiet)
            )
            self.page.set_progress(words.progress, words.fraction)
        return True

    def refresh_counts(self) -> None:
        """Only the line of counts and ages."""
        self._set_counts(self.facts())

    def _set_counts(self, facts: ListFacts) -> None:
        self._bar.set_counts(counts_line(facts))
        kind, words = _notice(facts.load) if facts.total else ("", "")
        self._notice = kind
        self._bar.set_notice(words)

    def _find(self, name: str) -> QAction | None:
        if not name:
            return None
        return self._own[name] if name in self._own else self._parts.actions[name]

    def _notice_clicked(self) -> None:
        if self._notice == "stop":
            self._stop()
        elif self._notice == "again":
            self._again()
        elif self._notice == "failed":
            self._raw()
        elif self._notice == "aside":
            self._set_aside()

    def _stop(self) -> None:
        self._parts.shop.cancel_load(self._spec.resource)

    def _again(self) -> None:
        self._parts.shop.refresh((self._spec.resource,), by_person=True)

    def _raw(self) -> None:
        error = self._desk.load(self._spec.resource).error
        if error is not None:
            words = error_words(error)
            opening.open_raw(self._bar.window(), words.what, words.raw, words.do, tr("Try again"), self._again)

    def _set_aside(self) -> None:
        aside = self._desk.load(self._spec.resource).set_aside
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
