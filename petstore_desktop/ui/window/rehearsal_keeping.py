"""Changes of a rehearsal come to the shop: they are shown in the preview, and saved as one batch.

What was kept stays on the disk until the journal has it, under an id that it has from the beginning, so that a program
that is killed in between neither loses nor repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.history_lines import ChangesRead
from petstore_desktop.desk.preview import Preview
from petstore_desktop.desk.rehearsal.kept import leave_out_moved, offer_of
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.commands import ReadChanges
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.ui.context.ports import KeptRehearsal
    from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
    from petstore_desktop.ui.window.main_window import MainWindow

SOURCE = "rehearsal"
"""The source of the batch, as `Batch` has it."""
_SOON_MS = 500


class Keeping(QObject):
    """For one window. `preview` shows edits before they are saved."""

    def __init__(self, window: MainWindow, preview: Callable[..., PreviewDialog]) -> None:
        super().__init__(window)
        self._window, self._preview = window, preview
        self._port = window.parts.app.shops.rehearsals
        self._found: list[KeptRehearsal] = []
        self._offered: set[str] = set()
        self._asked: dict[str, KeptRehearsal] = {}
        """By token, what it is asked of whether the journal has it."""
        if window.shop.desk.rehearsed:
            return
        window.parts.moved.connect(self._moved)
        self._port.listen(self.look)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusWindowChanged.connect(self._focused)
        QTimer.singleShot(_SOON_MS, self, self._begin)

    @property
    def waiting(self) -> int:
        """How many changes wait to be looked at."""
        return sum(len(one.changes) for one in self._found)

    def _begin(self) -> None:
        self._port.clean()
        self.look()

    def _focused(self, focused: object) -> None:
        if focused is not None and focused is self._window.windowHandle():
            self.look()

    def look(self) -> None:
        """Look for what a rehearsal left."""
        self._port.kept(self._took)

    def _took(self, found: Sequence[KeptRehearsal] | ShopError) -> None:
        if isinstance(found, ShopError):
            self._window.parts.say(Message(error_words(found).sentence, "warning"))
            return
        known = {one.batch for one in self._found}
        for one in found:
            if one.batch not in known:
                self._found.append(one)
                self._asked[token := unique()] = one
                self._window.shop.submit(ReadChanges(token, ChangeFilter(batches=(one.batch,)), limit=1))

    def _moved(self, moved: Changed) -> None:
        for event in moved.past:
            if isinstance(event, ChangesRead) and event.token in self._asked:
                kept = self._asked.pop(event.token)
                if event.lines:
                    self._done(kept)  # a program that was killed had saved it
        for one in [one for one in self._found if any(change.batch == one.batch for change in moved.saved)]:
            self._done(one)
        self._offer()

    def _done(self, kept: KeptRehearsal) -> None:
        self._found.remove(kept)
        self._port.forget(kept)

    def _offer(self) -> None:
        """Show what nobody has seen yet, once all lists that this computer keeps are read, and nothing else is open."""
        fresh = [one for one in self._found if one.batch not in self._offered and one not in self._asked.values()]
        reading = any(load.phase == "reading" for load in self._window.shop.desk.loads.values())
        if fresh and not reading and QApplication.activeModalWidget() is None:
            self._show(fresh[0])

    def show(self) -> None:
        """Show it again."""
        if self._found:
            self._show(self._found[0])

    def drop(self) -> None:
        """Throw all of it away."""
        for kept in list(self._found):
            self._done(kept)

    def _show(self, kept: KeptRehearsal) -> None:
        self._offered.add(kept.batch)
        offer = offer_of(kept.changes)
        preview = Preview(self._window.shop.desk, offer.inputs, offer.new)
        preview.source = SOURCE
        moved = leave_out_moved(preview, kept.changes)
        dialog = self._preview(preview, "", _words(kept, len(offer.also), moved))
        dialog.save_with(kept.batch, offer.also)
        dialog.rejected.connect(self._left)

    def _left(self) -> None:
        self._window.parts.say(Message(tr("The changes of the rehearsal wait under Shop > Rehearse."), "rehearsal"))


def _words(kept: KeptRehearsal, also: int, moved: int) -> str:
    said = [tr("From your rehearsal; nothing of it has reached the shop yet.")]
    if moved:
        said.append(
            tr(
                "{n} values are others now than you saw: they are left out.",
                "",
                moved,
                one="{n} value is another now than you saw: it is left out.",
            )
        )
    if also:
        said.append(
            tr(
                "{n} further changes are saved with them: deletions, and stock of new pets.",
                "",
                also,
                one="{n} further change is saved with them: a deletion, or stock of a new pet.",
            )
        )
    if kept.left_out:
        said.append(
            tr(
                "{n} changes that were refused or in conflict there are not kept.",
                "",
                kept.left_out,
                one="{n} change that was refused or in conflict there is not kept.",
            )
        )
    return sentences(*said)
