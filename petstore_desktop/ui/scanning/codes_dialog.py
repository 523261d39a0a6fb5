"""The taught codes of a shop in a dialog: which pets they mean, and how one is forgotten."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QWidget

from petstore_desktop.ui.base.building import named, on_click
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.scanning.taught_codes import TaughtCodes
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import PlainLabel

_LIST_HEIGHT = 240


class CodesDialog(Dialog):
    """Each act counts at once, and Undo takes it back."""

    def __init__(self, codes: TaughtCodes, parent: QWidget | None = None) -> None:
        note = tr("A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.")
        super().__init__(tr("Bar codes"), note, parent, name="codesDialog", width=480)
        self._codes = codes
        self.list = _List(self.forget)
        self.list.setMinimumHeight(current().scaled(_LIST_HEIGHT))
        self.nothing = named(PlainLabel(tr("No code is remembered yet."), "muted"), "noCodes")
        self.body.addWidget(self.list)
        self.body.addWidget(self.nothing)
        self.remove = on_click(self.add_button(tr("Forget"), key=tr("Del")), self.forget, "forgetCode")
        on_click(self.add_button(tr("Import…")), codes.ask_which, "importCodes")
        self.export = on_click(self.add_button(tr("Export…")), codes.ask_where, "exportCodes")
        self.set_primary(tr("Close"))
        codes.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        row, lines = self.list.currentRow(), self._codes.lines()
        self._shown = [code for code, _ in lines]
        self.list.clear()
        self.list.addItems([tr("{code}: {pets}", code=isolate(plain(code)), pets=pets) for code, pets in lines])
        self.list.setCurrentRow(min(max(row, 0), len(lines) - 1))
        self.list.setVisible(bool(lines))
        self.nothing.setVisible(not lines)
        self.remove.setEnabled(bool(lines))
        self.export.setEnabled(bool(lines))

    def forget(self) -> None:
        """Forget the current code."""
        row = self.list.currentRow()
        if 0 <= row < len(self._shown):
            self._codes.forget(self._shown[row])


class _List(QListWidget):
    def __init__(self, forget: Callable[[], object]) -> None:
        super().__init__()
        named(self, "codesList", tr("Bar codes"))
        self._forget = forget

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._forget()
        else:
            super().keyPressEvent(event)
