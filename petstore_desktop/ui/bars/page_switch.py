"""The pages of a view as words in its tool bar: the shown one is the view's title, the others are a click away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.translate import number
from petstore_desktop.ui.widgets.labels import PaintedButton
from petstore_desktop.ui.widgets.paint import Brush, elided

PAD, _GAP = 8, 5
"""Pixels beside a page's name, and before its count."""


class PageWord(PaintedButton):
    """One page's name, with the count of its rows if it has one."""

    ring = 5
    least = 60

    def __init__(self, name: str, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setCheckable(True)
        self._count: int | None = None
        self._needs = False
        self.set_words(words)

    def set_words(self, words: str) -> None:
        """The page's name."""
        self._words = words
        self.show_words(words if self._count is None else f"{words} {number(self._count)}")

    def set_count(self, count: int | None, needs: bool) -> None:
        """How many rows it has; `needs`: they need someone."""
        if (count, needs) != (self._count, self._needs):
            self._count, self._needs = count, needs
            self.set_words(self._words)
            self.update()

    def _figure(self, weight: int) -> float:
        return 0 if self._count is None else current().advance(number(self._count), 15, weight, True) + _GAP

    def sizeHint(self) -> QSize:
        """As wide as the title that it may become, so that choosing another moves nothing."""
        width = current().advance(self._words, 15, 600) + self._figure(600)
        return QSize(round(width + 0.5) + 2 * PAD, current().height(28))

    def draw(self, brush: Brush) -> None:
        theme, shown = brush.theme, self.isChecked()
        if self.underMouse() and not shown:
            brush.plane(theme.color("hover"), 6)
        weight, tone = (600, theme.tone("text")) if shown else (400, theme.tone("muted"))
        words = elided(theme, self._words, self.width() - 2 * PAD - self._figure(weight), 15, weight)
        x = PAD + brush.text(PAD, words, tone, 15, weight) + _GAP
        if self._count is not None:
            needs = self._needs and self._count > 0
            brush.text(x, number(self._count), theme.tone("wait") if needs else tone, 15, weight, tnum=True)


class PageSwitch(QWidget):
    """Chooses one of several pages, given as (objectName, words). It is one stop of the keyboard, at the shown page;
    Left and Right show the others.

    Signals:
        chosen: object: the number of the page, an int.
    """

    chosen = Signal(object)

    def __init__(self, pages: Sequence[tuple[str, str]] = (), parent: QWidget | None = None, spacing: int = 2) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._group.idToggled.connect(self._toggled)
        self._buttons: list[PageWord] = []
        self._row = in_row(self, spacing=spacing)
        for name, words in pages:
            self.add_page(name, words)

    def add_page(self, name: str, words: str) -> int:
        """One more page; returns its number. The first one is shown."""
        number, button = len(self._buttons), PageWord(name, words, self)
        button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._buttons.append(button)
        self._group.addButton(button, number)
        self._row.addWidget(button)
        if number == 0:
            self.choose(0)
        return number

    def words(self) -> tuple[PageWord, ...]:
        """The names of all pages, in their order."""
        return tuple(self._buttons)

    def set_count(self, number: int, count: int | None, needs: bool = False) -> None:
        """How many rows a page has; `needs`: they need someone."""
        self._buttons[number].set_count(count, needs)

    def choose(self, number: int) -> None:
        """Show that this page is the shown one."""
        self._buttons[number].setChecked(True)

    def set_words(self, number: int, words: str) -> None:
        """Call this page so from now on."""
        self._buttons[number].set_words(words)

    def shown(self) -> int:
        """The number of the shown page."""
        return self._group.checkedId()

    def focus_shown(self) -> None:
        """Put the keyboard on the shown page's name."""
        self._buttons[self._group.checkedId()].setFocus(Qt.FocusReason.OtherFocusReason)

    def _toggled(self, number: int, checked: bool) -> None:
        """Qt would let Tab come to the first page."""
        policy = Qt.FocusPolicy.StrongFocus if checked else Qt.FocusPolicy.ClickFocus
        self._buttons[number].setFocusPolicy(policy)
        if checked:
            self.chosen.emit(number)
