"""Filters that cannot be seen under the headers, as chips in the tool bar: each clears its filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from petstore_desktop.ui.base.theme import Tone, current
from petstore_desktop.ui.widgets.labels import LinkLabel, drop, set_tip
from petstore_desktop.ui.widgets.paint import baseline, draw_icon, draw_ring, draw_text, elided, fill_round

_PAD, _MARK, _MOST = 7, 12, 200
LEAST_ALONE, LEAST = 150, 110
"""So wide (px at base 13) is a chip at least, if its words are that long: read whole as a rule; and beside others."""


@dataclass(frozen=True, slots=True)
class ChipWords:
    """One chip: `words` on it, `does` for screen readers and the tool tip, `target` what is told when it is used."""

    words: str
    does: str
    target: object
    wrong: bool = False


class FilterChip(QAbstractButton):
    """`Status !sold  ×`; a click, Enter, Space, Delete or Backspace clears it.

    Signals:
        clicked(bool): Qt's own.
    """

    def __init__(self, chip: ChipWords, least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chip = chip
        self._least = least
        self.setText(chip.words.replace("&", "&&"))
        self.setAccessibleName(chip.does)
        set_tip(self, chip.does)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        theme = current()
        width = theme.advance(self.chip.words, 12, 400, True) + 2 * _PAD + theme.scaled(_MARK) + 4
        return QSize(min(ceil(width), theme.scaled(_MOST)), theme.height(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(current().scaled(self._least), self.sizeHint().width()), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        if event.key() in keys:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, tone = current(), self._tone()
        painter = QPainter(self)
        fill_round(painter, self.rect().toRectF(), 4, theme.tint(tone))
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side = theme.scaled(_MARK)
        room = self.width() - 2 * _PAD - side - 4
        words = elided(theme, self.chip.words, room, 12, 400, True)
        width = theme.advance(words, 12, 400, True)
        x = self.width() - _PAD - width if rtl else _PAD
        draw_text(painter, theme, x, baseline(theme, 0, self.height()), words, theme.tone(tone), 12, 400, True)
        at = _PAD if rtl else self.width() - _PAD - side
        draw_icon(painter, "close", at, (self.height() - side) / 2, theme.tone(tone), side)
        if self.hasFocus():
            draw_ring(painter, self.rect(), theme.color("accent"), 4)
        elif theme.high_contrast:
            draw_ring(painter, self.rect(), theme.color("text"), 4, 1)
        painter.end()

    def _tone(self) -> Tone:
        return "bad" if self.chip.wrong else "accent"


class FilterChips(QWidget):
    """As many chips as one gives it, and a link that clears all where there are several. Hidden without any.

    Signals:
        cleared: object: the target of a chip that was used.
        allCleared(): the link was used.
    """

    cleared = Signal(object)
    allCleared = Signal()

    def __init__(self, all_words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterChips")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._all, self._shown = all_words, tuple[ChipWords, ...]()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self.hide()

    def chips(self) -> list[FilterChip]:
        """The shown chips, in order."""
        return [chip for chip in self.findChildren(FilterChip) if not chip.isHidden()]

    def set_chips(self, chips: Sequence[ChipWords]) -> None:
        """Show these; the keyboard stays where it was among them."""
        if tuple(chips) == self._shown:
            return
        self._shown = tuple(chips)
        drop(self._row)
        for one in chips:
            chip = FilterChip(one, LEAST if len(chips) > 1 else LEAST_ALONE, self)
            chip.clicked.connect(lambda _checked=False, target=one.target: self.cleared.emit(target))
            self._row.addWidget(chip)
            chip.show()
        if len(chips) > 1:
            link = LinkLabel(self._all, 12)
            link.setMinimumWidth(link.sizeHint().width())
            link.clicked.connect(lambda _checked=False: self.allCleared.emit())
            self._row.addWidget(link)
            link.show()
        self.setVisible(bool(chips))
