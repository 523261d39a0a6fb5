"""What the dialogs with fields share: margins, a labelled choice, and a line that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from petstore_desktop.ui.theme import current
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import PlainLabel

_MARGIN = 20


class ChoiceField(QWidget):
    """A label above a choice of (value, words)."""

    def __init__(self, label: str, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        name = PlainLabel(label)
        self.box = QComboBox()
        self.box.setAccessibleName(label)
        self.box.setMinimumHeight(current().height(30))
        name.setBuddy(self.box)
        for value, words in choices:
            self.box.addItem(words, value)
        column.addWidget(name)
        column.addWidget(self.box)

    def value(self) -> str:
        """The chosen value; empty where there is nothing to choose."""
        value = self.box.currentData()
        return value if isinstance(value, str) else ""

    def set_value(self, value: str) -> None:
        """Choose this value, if it is there."""
        at = self.box.findData(value)
        if at >= 0:
            self.box.setCurrentIndex(at)


class FormDialog(Dialog):
    """A dialog with fields, one below the other, and a line for what is wrong."""

    def __init__(self, title: str, consequence: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, consequence, parent)
        self.body.setContentsMargins(_MARGIN, 0, _MARGIN, 12)
        self.body.setSpacing(12)
        self.wrong = PlainLabel("", "bad", 12, wrap=True)
        self.wrong.setObjectName("problem")
        self.wrong.hide()
        self.setMinimumWidth(current().scaled(440))
        self.set_divided(False)

    def say_wrong(self, words: str) -> None:
        """Say what is wrong, below the fields; empty takes it away."""
        self.wrong.set_text(words)
        self.wrong.setVisible(bool(words))
