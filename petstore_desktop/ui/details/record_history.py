"""What happened to the record in the details: asked for when one stays on it, and shown below all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from petstore_desktop.desk.changes.history_lines import History, HistoryLine, HistoryRead, history_of
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailsPane
from petstore_desktop.ui.text.cell_text import MARKS, step_texts
from petstore_desktop.ui.text.changes.history import other_words, past_sentence, step_words
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.context.window_context import WindowParts

_STAYS_MS = 150
"""Who walks along the rows is not asked about each of them."""
FEW = 5
"""How many lines are shown at first."""


class RecordHistory(QObject):
    """Fills the history of a details pane."""

    def __init__(self, parts: WindowParts, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        self._pane: DetailsPane | None = None
        self._ref: Ref | None = None
        self._answer: HistoryRead | None = None
        self._read: History | None = None
        self._all = False
        self._jump = False
        self._soon = QTimer(self, interval=_STAYS_MS, singleShot=True)
        self._soon.timeout.connect(self._ask)

    def show(self, pane: DetailsPane, ref: Ref) -> None:
        """The pane has been rebuilt for this record."""
        if self._pane is None:
            pane.historyWanted.connect(self._more)
        self._pane = pane
        if ref != self._ref:
            self._ref, self._answer, self._all, self._jump = ref, None, False, False
        self._read = self._of(self._answer)  # what is shown as a change is no past yet
        self._fill()
        self._soon.start()

    def jump(self) -> None:
        """A person asks for the history: all that is known of it, with the keyboard in it."""
        self._all = self._jump = True
        self._soon.stop()
        self._ask()

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        desk = self._parts.shop.desk
        for answer in moved.past:
            if isinstance(answer, HistoryRead) and self._ref is not None and desk.resolve(answer.ref) == self._ref:
                self._answer = answer
                read = self._of(answer)
                if read != self._read or self._jump:  # else its link keeps the focus
                    self._read = read
                    self._fill()
        if moved.batches and self._ref is not None:
            self._soon.start()

    def _of(self, answer: HistoryRead | None) -> History | None:
        if answer is None or self._ref is None:
            return None
        return history_of(self._parts.shop.desk.shop, self._ref, answer.entries, answer.sightings)

    def _ask(self) -> None:
        if self._ref is not None and self._pane is not None and self._pane.isVisible():
            self._parts.shop.read_history(self._ref)

    def _fill(self) -> None:
        if self._pane is None:
            return
        lines = () if self._read is None else self._read.lines
        shown = lines if self._all else lines[:FEW]
        entries = [self._entry(line) for line in shown]
        if self._all and self._read is not None and not entries:
            entries = [ChangeEntry(None, tr("No history"), "", "", _nothing(), icon=("info", ""))]
        left = len(lines) - len(shown)
        self._pane.set_history(entries, tr("{n} more", "", left) if left else tr("All in Activity"))
        if self._jump and self._read is not None:
            self._jump = False
            self._pane.show_history()

    def _entry(self, line: HistoryLine) -> ChangeEntry:
        resource = Resource.INVENTORY if line.step.field == "stock" else self._resource()
        now = self._parts.now()
        if line.sentence is None:
            said, icon = other_words(line, now), ("as-of", tr("changed by somebody else"))
        else:
            said, icon = past_sentence(line.sentence, now, None), ("close", tr("discarded"))
        acts = line.step.field in ("create", "delete")
        before, after = ("", "") if acts else step_texts(line.step.before, line.step.after)
        return ChangeEntry(
            None if line.mark is None else MARKS[line.mark],
            step_words(resource, line.step.field),
            before,
            after,
            said,
            icon=icon,
        )

    def _resource(self) -> Resource:
        return Resource.PETS if self._ref is None else self._ref.resource

    def _more(self) -> None:
        """The rest of it here, or, where all is here, its changes among all others."""
        lines = () if self._read is None else self._read.lines
        if self._all or len(lines) <= FEW:
            key = "" if self._ref is None or not isinstance(self._ref.key, int) else key_to_text(self._ref.key)
            self._parts.navigation.open_changes(f"#{key}" if key else "")
            return
        self._all = True
        self._fill()


def _nothing() -> str:
    return tr("No change of this record is known, neither yours nor anybody else’s.")
