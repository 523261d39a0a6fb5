"""The pages of a desk: words with their counts above its list; Left and Right move among them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.building import in_row, named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.translate import number
from petstore_desktop.ui.widgets.labels import PaintedButton
from petstore_desktop.ui.widgets.paint import brush_on, elided, is_rtl

PAD = 8
_GAP = 5


class _PageWord(PaintedButton):
    """One page's name with its count."""

    least = 60

    def __init__(self, name: str, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setObjectName(name)
        self.words = words
        self.count: int | None = None
        self.needs = False
        self._say()

    def set_count(self, count: int | None, needs: bool) -> None:
        """How many rows it has; `needs`: they need someone."""
        if (count, needs) != (self.count, self.needs):
            self.count, self.needs = count, needs
            self._say()
            self.update()

    def _say(self) -> None:
        self.show_words(self.words if self.count is None else f"{self.words} {number(self.count)}")

    def sizeHint(self) -> QSize:
        theme = current()
        figure = "" if self.count is None else number(self.count)
        width = theme.advance(self.words, 15, 600) + (theme.advance(figure, 15, 600, True) + _GAP if figure else 0)
        return QSize(round(width + 0.5) + 2 * PAD, theme.height(28))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the row of pages moves among them
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, shown = brush.theme, self.isChecked()
            if self.underMouse() and not shown:
                brush.plane(theme.color("hover"), 6)
            weight = 600 if shown else 400
            tone = theme.tone("text" if shown else "muted")
            figure = theme.advance(number(self.count), 15, weight, True) + _GAP if self.count is not None else 0
            words = elided(theme, self.words, self.width() - 2 * PAD - figure, 15, weight)
            x = PAD + brush.text(PAD, words, tone, 15, weight) + _GAP
            if self.count is not None:
                needs = self.needs and self.count > 0
                brush.text(x, number(self.count), theme.tone("wait") if needs else tone, 15, weight, tnum=True)
            if self.hasFocus():
                brush.ring(theme.color("accent"), 5)


class StationPages(QWidget):
    """Chooses one of several pages; one stop of the keyboard.

    Signals:
        chosen(int): the number of the page.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "stationPages")
        self._words: list[_PageWord] = []
        self._row = in_row(self, spacing=8)
        self._shown = 0

    def add_page(self, name: str, words: str) -> int:
        """One more page; returns its number."""
        number_of = len(self._words)
        word = _PageWord(name, words, self)
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
