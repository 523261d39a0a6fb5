"""What the meter tells when it is opened: both windows, how many requests each class used, and which side counted."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from petstore_desktop.ui.base.building import add, in_column, in_row, named
from petstore_desktop.ui.base.first_paint import screen_of
from petstore_desktop.ui.base.theme import Tone, current, to_say
from petstore_desktop.ui.status.quota_meter import MeterReading
from petstore_desktop.ui.widgets.empty_state import ProgressLine
from petstore_desktop.ui.widgets.labels import LINK_PAD, Divider, LinkLabel, PlainLabel, drop
from petstore_desktop.ui.widgets.paint import Raised

_WIDTH, _PAD, _ABOVE = 320, 16, 6


class WindowWords(Struct, frozen=True):
    """One window: its name, the requests left in words and as a bar, and a note."""

    name: str
    left: str
    reading: MeterReading
    notes: tuple[str, ...]


class QuotaWords(Struct, frozen=True):
    """All that the popup says. `paused`: that nothing is sent now, empty where something may be; `used`: each class,
    and how many requests; `notes` are about both windows; `link` leads to the list of all of them."""

    title: str
    paused: str
    windows: tuple[WindowWords, ...]
    used_title: str
    used: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    link: str


class QuotaPopup(Raised, QFrame):
    """A raised plane above the meter; Esc or a click beside it closes it.

    Signals:
        requestsWanted(): the person wants to see each request.
    """

    requestsWanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("quotaPopup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # a click on the meter closes it, and opens no other
        self._words: QuotaWords | None = None
        self._body = in_column(None, margins=(LINK_PAD, 0, LINK_PAD, 0))
        self._link = named(LinkLabel(), "quotaRequestsLink")
        self._link.clicked.connect(self._show_requests)
        in_column(self, self._body, 10, self._link, margins=(_PAD - LINK_PAD, 12, _PAD - LINK_PAD, 12))

    def set_words(self, words: QuotaWords) -> None:
        """Say this from now on."""
        if words == self._words:
            return
        self._words = words
        self.setAccessibleName(to_say(words.title))
        self._link.set_text(words.link)
        drop(self._body)
        if words.paused:
            self._add(PlainLabel(words.paused, "wait", 13, 600, wrap=True))
            self._body.addSpacing(10)
        for window in words.windows:
            self._add_window(window)
        self._body.addSpacing(4)
        self._add(Divider())
        self._body.addSpacing(10)
        self._add(PlainLabel(words.used_title, "text", 13, 600))
        self._body.addSpacing(4)
        for who, count in words.used:
            self._add_line(who, count)
        for note in words.notes:
            self._body.addSpacing(6)
            self._add(PlainLabel(note, "muted", 12, wrap=True))
        self.setAccessibleDescription(to_say(self._spoken(words)))
        self._resize()

    def _add(self, widget: QWidget, line: QBoxLayout | None = None) -> None:
        """Shown at once: a layout shows what it is given only later, and the popup would be empty until then."""
        (line or self._body).addWidget(widget)
        widget.show()

    def _add_window(self, window: WindowWords) -> None:
        tone: Tone = "wait" if window.reading.short else "text"
        self._add_line(window.name, window.left, tone)
        bar = ProgressLine()
        bar.set_fraction(window.reading.share or None, "faint" if tone == "text" else tone)
        self._body.addSpacing(2)
        self._add(bar)
        self._body.addSpacing(4)
        for note in window.notes:
            self._add(PlainLabel(note, "muted", 12, wrap=True))
        self._body.addSpacing(10)

    def _add_line(self, left: str, right: str, tone: Tone = "text") -> None:
        line = in_row(None, margins=(0, 2, 0, 2), spacing=12)
        add(self._body, line)
        self._add(PlainLabel(left, "muted"), line)
        line.addStretch(1)
        self._add(PlainLabel(right, tone, tnum=True), line)

    def _spoken(self, words: QuotaWords) -> str:
        said = [f"{window.name}: {window.left}. {' '.join(window.notes)}" for window in words.windows]
        said.append(f"{words.used_title}: {', '.join(f'{who} {count}' for who, count in words.used)}.")
        return " ".join((words.paused, *said, *words.notes)).lstrip()

    def _resize(self) -> None:
        width, layout = current().scaled(_WIDTH), self.layout()
        if layout is None:
            return
        layout.activate()
        height = layout.heightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()
        bottom = self.geometry().bottomLeft()
        self.setFixedSize(width, height)
        if self.isVisible():
            self.move(bottom.x(), bottom.y() - height + 1)

    def open_above(self, meter: QWidget) -> None:
        """Show it above the meter, its end at the meter's end, on the meter's screen."""
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        top = meter.mapToGlobal(QPoint(0, -_ABOVE))
        left = top.x() if rtl else top.x() + meter.width() - self.width()
        screen = screen_of(meter)
        left = max(screen.left(), min(left, screen.right() - self.width()))
        self.move(left, max(screen.top(), top.y() - self.height()))
        self.show()
        self._link.setFocus(Qt.FocusReason.PopupFocusReason)

    def _show_requests(self) -> None:
        self.close()
        self.requestsWanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
