"""What stands where rows would: nothing there, nothing matches, loading, offline, not offered, failed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QAction, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from petstore_desktop.ui.base.building import in_column, in_row
from petstore_desktop.ui.base.theme import Tone, current, to_say
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, PlainLabel, drop, say
from petstore_desktop.ui.widgets.paint import Plane, brush_on, fill_round

_WIDTH = 362


class EmptyRow(Struct, frozen=True):
    """One way out: "Without [In stock >500]   4 pets"; a click on the link hands `target` back."""

    label: str
    link: str
    count: str
    target: object = None


class ProgressLine(QWidget):
    """A progress bar, thin if it is given no height; without a fraction only the track."""

    def __init__(self, height: int = 5) -> None:
        super().__init__()
        self._fraction: float | None = None
        self._tone: Tone = "faint"
        self.setFixedHeight(height)

    def set_fraction(self, fraction: float | None, tone: Tone = "faint") -> None:
        """0 to 1, or None while the total is unknown."""
        self._fraction, self._tone = fraction, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            high = self.height()
            brush.panel(brush.theme.color("track"), high / 2)
            if self._fraction is not None:
                width = max(float(high), self.width() * min(1.0, max(0.0, self._fraction)))
                done = QRectF(brush.at(0, width), 0, width, high)
                fill_round(brush.painter, done, high / 2, brush.theme.tone(self._tone))


class _Row(QWidget):
    """Label, link, count, and a hairline below."""

    def __init__(self, row: EmptyRow) -> None:
        super().__init__()
        self.link = LinkLabel(row.link)
        label, count = PlainLabel(row.label, "muted"), PlainLabel(row.count, "text", tnum=True)
        in_row(self, label, self.link, "stretch", count, spacing=5 - LINK_PAD)
        self.setFixedHeight(current().height(30))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.painter.fillRect(0, self.height() - 1, self.width(), 1, brush.theme.color("hair"))


class EmptyState(Plane, QWidget):
    """A left-aligned block in the middle third: what, why, ways out, one plain button. No drawings.

    Signals:
        rowActivated(object): the target of the row whose link was used.
    """

    rowActivated = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("emptyState")
        self._block = QWidget(self)
        self._title = PlainLabel("", "text", 15, 600, wrap=True)
        self._what, self._why = (PlainLabel("", "muted", 13, wrap=True, leading=1.5) for _ in range(2))
        self._progress_words = PlainLabel("", "muted", 13, tnum=True)
        self._progress = ProgressLine()
        self._rows, self._buttons = in_column(None), in_row(None, spacing=8)
        words, progress = (self._title, 4, self._what, self._why), (self._progress_words, 6, self._progress)
        self._column = in_column(self._block, *words, 8, *progress, self._rows, 14, self._buttons)
        self._shown: object = None
        self.set_progress("", None)

    def set_content(
        self,
        title: str,
        what: str = "",
        why: str = "",
        rows: Sequence[EmptyRow] = (),
        primary: QAction | None = None,
        quiet: QAction | None = None,
    ) -> None:
        """Say what is (not) there, why, what dropping each filter would bring, and what to do. What is said already
        stays as it is, with the keyboard where it was."""
        content = (title, what, why, tuple(rows), primary, quiet)
        if content == self._shown:
            return
        self._shown = content
        self._title.set_text(title)
        for label, text in ((self._what, what), (self._why, why)):
            say(label, text)
        drop(self._rows)
        for row in rows:
            self._add(self._rows, self._make_row(row))
        drop(self._buttons)
        for action, button in ((primary, Button("", "plain")), (quiet, Button("", "quiet"))):
            if action is not None:
                button.bind(action)
                self._add(self._buttons, button)
        self._buttons.addStretch(1)
        self.setAccessibleName(to_say(title))
        self.setAccessibleDescription(to_say(" ".join(filter(None, (what, why)))))
        self._place()

    def _add(self, layout: QBoxLayout, widget: QWidget) -> None:
        """Shown at once: a layout shows what it is given only later, and until then gives it no room."""
        layout.addWidget(widget)
        widget.show()

    def _make_row(self, row: EmptyRow) -> _Row:
        made = _Row(row)
        made.link.clicked.connect(lambda: self.rowActivated.emit(row.target))
        return made

    def set_progress(self, words: str, fraction: float | None) -> None:
        """Show how far loading is: "1,200 of 10,000"; empty words take the bar away."""
        say(self._progress_words, words)
        self._progress.setVisible(bool(words))
        self._progress.set_fraction(fraction)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        width = min(current().scaled(_WIDTH), self.width() - 32)
        layout = self._column
        layout.activate()
        height = layout.heightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()
        left, top = max(16, (self.width() - width) // 2), max(16, round((self.height() - height) * 0.38))
        self._block.setGeometry(left, top, width, height)
