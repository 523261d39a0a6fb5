"""Editors that fill a cell: a word, a quantity with its live result, a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QToolTip, QWidget

from petstore_desktop.ui.base.theme import current, to_say, tooltip
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.paint import Brush, brush_on, elided, fill_widget, is_rtl
from petstore_desktop.ui.widgets.searched_choice import SearchedChoice

ROOM = 10_000_000
"""UTF-16 units: more than a service's longest name. Qt's own bound of 32,767 would cut one, and send what is left."""

Preview = Callable[[str], tuple[str, bool] | None]


class CellEditor(QLineEdit):
    """A line edit that fills its cell with the current cell's ring.

    Enter and Tab commit, Esc takes back (the delegate's event filter); what is not acceptable stays open.
    """

    def __init__(self, parent: QWidget | None = None, tnum: bool = False) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setFrame(False)
        self.setFont(current().font(tnum=tnum))
        self.setTextMargins(9, 0, 9, 0)
        self.setMaxLength(ROOM)
        self._original = ""
        self.typed = False
        """Whether it was opened by typing on the cell."""

    def set_value(self, text: str) -> None:
        """What the cell holds when the editor opens; selected, so that typing replaces it."""
        self._original = text
        self.setText(text)
        self.selectAll()

    def value(self) -> str | None:
        """What to write to the model; None if nothing was changed."""
        return None if self.text() == self._original else self.text()

    def acceptable(self) -> bool:
        """Whether Enter may commit."""
        return True

    def refuse(self) -> None:
        """Say why it stays open."""

    def ring_tone(self) -> str:
        """Token of the ring."""
        return "accent"

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_widget(self, "content")
        super().paintEvent(event)
        with brush_on(self) as brush:
            brush.ring(brush.theme.color(self.ring_tone()), 4)
            self.paint_more(brush)

    def paint_more(self, brush: Brush) -> None:
        """Draw over the line edit."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.accept()


_BEGINNINGS = frozenset({"+", "-", "\u2212", "=", "=-", "=\u2212"})
"""What a quantity may begin with: no number yet, and nothing to complain of while it is being typed."""


class StockEditor(CellEditor):
    """Edits a quantity: the typed text where one begins to read, what it comes to at the other end.

    `preview` turns the typed text into ("= 144", below zero?) or None when it is no quantity.
    """

    def __init__(self, preview: Preview, parent: QWidget | None = None) -> None:
        super().__init__(parent, tnum=True)
        self._preview = preview
        self._result: tuple[str, bool] | None = ("", False)
        self._wrong = ""
        self._begun = False
        self.textChanged.connect(self._work_out)

    def _work_out(self, text: str) -> None:
        self._wrong = ""
        self._begun = text.strip() in _BEGINNINGS
        result = self._preview(text) if text.strip() else ("", False)
        # An editor left as it was says nothing; unless what it opened with is what could not be.
        self._result = ("", False) if result is not None and text == self._original else result
        self.setAccessibleDescription(self._result[0] if self._result else self.wrong_words())
        room = current().advance(self._result[0], 13, 500, True) + 20 if self._result and self._result[0] else 10
        if is_rtl(self):  # Qt aligns a text by its own letters, and a number has none
            self.setTextMargins(round(room), 0, 9, 0)
            self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        else:
            self.setTextMargins(9, 0, round(room), 0)
        self.update()

    def value(self) -> str | None:
        return super().value() if self.text().strip() else None

    def set_invalid(self, words: str) -> None:
        """Keep the typed text and say what is wrong with it."""
        self._wrong = words
        self.setAccessibleDescription(to_say(words))
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tooltip(words), self)
        self.update()

    def wrong_words(self) -> str:
        """The error in words; empty if there is none."""
        if self._wrong or self._begun:
            return self._wrong
        return self._not_a_number() if self._result is None else ""

    def _not_a_number(self) -> str:
        return tr("Enter a whole number")

    def acceptable(self) -> bool:
        return self._result is not None and not self._wrong

    def refuse(self) -> None:
        self.set_invalid(self.wrong_words() or self._not_a_number())

    def ring_tone(self) -> str:
        return "accent" if self.acceptable() or not self.wrong_words() else "bad"

    def paint_more(self, brush: Brush) -> None:
        words, bad = self._result if self._result is not None else (self.wrong_words(), True)
        if words:
            theme, size = brush.theme, 13 if self._result is not None else 12
            typed = theme.advance(self.text(), 13, 400, True) + 24
            shown = elided(theme, words, self.width() - typed - 10, size, 500, True)
            brush.ending(self.width() - 10, shown, theme.tone("bad" if bad else "text"), size, 500)


class ChoiceEditor(SearchedChoice):
    """Chooses one of (value, label) pairs; the first letters of a label select it."""

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._original, self.is_exact = "", True
        self.setFont(current().font())
        for value, label in choices:
            self.addItem(label, value)
        self.setFrame(False)

    def set_value(self, value: str) -> None:
        """Select the choice with this value; nothing where there is none."""
        self._original = value
        self.setCurrentIndex(self.findData(value))

    def value(self) -> str | None:
        """The chosen value; None if it is the old one or nothing is chosen."""
        chosen = self.currentData()
        return chosen if isinstance(chosen, str) and chosen != self._original else None

    def acceptable(self) -> bool:
        """Whether Enter may commit: not while the typed text begins no label."""
        return not self.missed

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with brush_on(self) as brush:
            brush.ring(brush.theme.color("accent"), 4)
