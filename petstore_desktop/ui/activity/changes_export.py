"""Writes what the filter shows to a file that the person names, and says how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from petstore_desktop.desk.changes.history_lines import ChangesExported
from petstore_desktop.domain.commands import ExportChanges
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.text.changes.history import exported_words, file_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.activity.changes_reading import ChangesReading
    from petstore_desktop.ui.context.message import Say


class ChangesExport(QObject):
    """Asks for a file, has it written, and tells the outcome."""

    def __init__(self, shop: LiveShop, say: Say, reading: ChangesReading, page: QWidget) -> None:
        super().__init__(page)
        self._shop, self._say = shop, say
        self._reading = reading
        self._page = page
        self._writing: set[str] = set()

    def ask(self) -> QFileDialog:
        """Ask where to; nothing waits for the answer."""
        filters = [tr("For a spreadsheet (*.csv)"), tr("For programs (*.json)")]
        name = tr("changes {day}", "the name of a file", day=self._shop.desk.today.isoformat())
        window, title = self._page.window(), tr("Export changes")
        dialog = ask_file(window, title, "exportDialog", filters, self.write, save_as=f"{name}.csv", suffix="csv")

        def suffix(kind: str) -> None:
            dialog.setDefaultSuffix("json" if kind == filters[1] else "csv")

        dialog.filterSelected.connect(suffix)
        return dialog

    def write(self, path: str) -> None:
        """Write all changes that fit to this file."""
        self._writing.add(path)
        self._shop.submit(ExportChanges(path, self._reading.wanted, file_words()))

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        for answer in moved.past:
            if isinstance(answer, ChangesExported) and answer.path in self._writing:
                self._writing.discard(answer.path)
                self._tell(answer)

    def _tell(self, answer: ChangesExported) -> None:
        if answer.error is None:
            self._say(Message(exported_words(answer.count, answer.path), "export", file=answer.path))
        else:
            open_failure(self._page.window(), answer.error, tr("Choose another file…"), self.ask)
