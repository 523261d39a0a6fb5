"""The ways in for a file: dropped on the window, or chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from petstore_desktop.ui.context.action_set import read_only_words
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.files.import_memory import ImportMemory
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import ask_file, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.domain.records import Resource
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.ports import AppPort
    from petstore_desktop.ui.files.import_file import Show

_SUFFIXES: Final = frozenset((".csv", ".tsv", ".txt", ".tab", ".xlsx", ".xlsm"))


class Importing(QObject):
    """Opens the import for files that come to a window. `preferred`: the list that the person looks at."""

    def __init__(
        self,
        shop: LiveShop,
        app: AppPort,
        say: Say,
        show: Show,
        preferred: Callable[[], Resource],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._shop, self._app, self._say, self._show = shop, app, say, show
        self._preferred, self._window = preferred, window
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Files that are dragged over the window, and dropped."""
        if isinstance(event, QDragEnterEvent | QDragMoveEvent) and _paths(event):
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            paths = _paths(event)
            if paths:
                event.acceptProposedAction()
                self.open_dropped(paths)
                return True
        return False

    def open_dropped(self, paths: list[str]) -> None:
        """Files were dropped: one at a time, so that each has its own preview."""
        if len(paths) > 1:
            self._say(Message(tr("One file at a time, please."), "info"))
        else:
            self.open(paths[0])

    def ask(self) -> None:
        """Ask for a file; nothing waits for the answer."""
        if self._refused():
            return
        filters = (tr("Tables (*.csv *.tsv *.txt *.tab *.xlsx *.xlsm)"), tr("All files (*)"))
        folder = ImportMemory(self._app).folder
        ask_file(self._window, tr("Import"), "importFileDialog", filters, self.open, folder=folder)

    def open(self, path: str) -> None:
        """Bring this file in."""
        if self._refused():
            return
        from petstore_desktop.ui.files.import_file import ImportDialog  # late: only who brings a file in needs it

        memory = ImportMemory(self._app)
        memory.keep_folder(str(Path(path).parent))
        show(ImportDialog(self._shop, self._show, path, self._preferred(), memory, self._window))

    def _refused(self) -> bool:
        """Say why nothing can be brought in, if that is so."""
        read_only = self._shop.desk.shop.read_only
        if read_only:
            self._say(Message(read_only_words(), "lock"))
        return read_only


def _paths(event: QDropEvent) -> list[str]:
    """The files of an event that may be tables; empty where anything else is among them."""
    urls = event.mimeData().urls()
    paths = [url.toLocalFile() for url in urls]
    return paths if paths and all(Path(path).suffix.lower() in _SUFFIXES for path in paths) else []
