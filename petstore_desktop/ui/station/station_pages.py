"""The pages of a desk: words with their counts above its list; Left and Right move among them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.bars.page_switch import PageWord
from petstore_desktop.ui.base.building import in_row, named
from petstore_desktop.ui.widgets.labels import PaintedButton
from petstore_desktop.ui.widgets.paint import is_rtl


class _Word(PageWord):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the row of pages moves among them
        else:
            super().keyPressEvent(event)


class StationPages(QWidget):
    """Chooses one of several pages; one stop of the keyboard.

    Signals:
        chosen(int): the number of the page.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "stationPages")
        self._words: list[_Word] = []
        self._row = in_row(self, spacing=8)
        self._shown = 0

    def add_page(self, name: str, words: str) -> int:
        """One more page; returns its number."""
        number_of = len(self._words)
        word = _Word(name, words, self)
        word.clicked.connect(lambda: self.choose(number_of))
        self._words.append(word)
        self._row.addWidget(word)
        self._mark()
        return number_of

    def set_count(self, page: int, count: int | None, needs: bool = False) -> None:
        """How many rows a page has; `needs`: they need someone."""
        self._words[page].set_count(count, needs)

    def shown(self) -> int:
        """The number of the page that is shown."""
        return self._shown

    def choose(self, page: int) -> None:
        """Show this page."""
        moved, self._shown = page != self._shown, page
        self._mark()
        if moved:
            self.chosen.emit(page)

    def words(self) -> tuple[PaintedButton, ...]:
        """All words, in their order."""
        return tuple(self._words)

    def word(self, page: int) -> PaintedButton:
        """The word of a page."""
        return self._words[page]

    def _mark(self) -> None:
        for place, word in enumerate(self._words):
            word.setChecked(place == self._shown)
            word.setFocusPolicy(Qt.FocusPolicy.StrongFocus if place == self._shown else Qt.FocusPolicy.ClickFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() not in ways:
            super().keyPressEvent(event)
            return
        by = -ways[Qt.Key(event.key())] if is_rtl(self) else ways[Qt.Key(event.key())]
        page = min(max(self._shown + by, 0), len(self._words) - 1)
        self.choose(page)
        self._words[page].setFocus(Qt.FocusReason.OtherFocusReason)
