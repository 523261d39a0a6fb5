"""The banner that says why nothing is sent, for how long, and what is safe; and what keeps it in step with the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.domain.quota import Cause, GatePhase
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.building import in_column, in_row
from petstore_desktop.ui.base.motion import is_still
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.pause import send_block_words
from petstore_desktop.ui.text.translate import plain_lines, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import brush_on, draw_icon, fill_panel

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.action_set import ActionSet


class BannerWords(Struct, frozen=True):
    """What the banner shows.

    title: with the countdown ("Sending is paused for 0:47").   fraction_left: of the whole wait, 0 to 1; None where
    nothing counts down.   raw: there is an answer to look at.   act: the word of a further button, empty for none.
    tone: "bad" where it needs a person.
    """

    title: str
    detail: str
    fraction_left: float | None = None
    raw: bool = True
    act: str = ""
    tone: Literal["wait", "bad"] = "wait"


class _Ring(QWidget):
    """A ring of the time left around the mark."""

    def __init__(self) -> None:
        super().__init__()
        self._words = BannerWords("", "")
        self.setFixedSize(32, 32)

    def show_words(self, words: BannerWords) -> None:
        """Take tone and fraction from there."""
        self._words = words
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        words = self._words
        with brush_on(self) as brush:
            painter, color, thin = brush.painter, brush.theme.tone(words.tone), brush.theme.high_contrast
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if words.fraction_left is not None and not is_still():
                rest = color if thin else brush.theme.color("content")
                circle = QRectF(2, 2, 28, 28)
                painter.setPen(QPen(rest, 1.0 if thin else 2.5))
                painter.drawEllipse(circle)
                painter.setPen(QPen(color, 2.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawArc(circle, 90 * 16, round(360 * 16 * min(1.0, max(0.0, words.fraction_left))))
            draw_icon(painter, "warning" if words.tone == "bad" else "pause", 9, 9, color, 14)


class PauseBanner(QWidget):
    """Shown while the gate lets nothing through; there is no "Retry" on it.

    Signals:
        rawRequested(): the person wants the service's raw answer.
        waitsRequested(): the person wants to see what waits.
        actRequested(): the further button.
    """

    rawRequested = Signal()
    waitsRequested = Signal()
    actRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pauseBanner")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._words = BannerWords("", "")
        self._announced = ""
        self._ring = _Ring()
        self._title = PlainLabel(weight=600)
        self._detail = PlainLabel(wrap=True, leading=1.38)
        self._raw = Button(tr("Server response"), "quiet")
        self._act = _PlaneButton("", "plain")
        self._waits = _PlaneButton(tr("Show outbox"), "plain")
        self._raw.clicked.connect(lambda: self.rawRequested.emit())
        self._act.clicked.connect(lambda: self.actRequested.emit())
        self._waits.clicked.connect(lambda: self.waitsRequested.emit())
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        words = in_column(None, self._title, self._detail, spacing=2)
        around = (12 + 14, 12 + 9, 12 + 9, 9 + 6)
        in_row(self, self._ring, (words, 1), self._raw, self._waits, self._act, margins=around, spacing=8)

    def show_words(self, words: BannerWords, cause: str) -> None:
        """Show or update it; a screen reader hears of each `cause` once, not each second."""
        self._words = words
        self._title.set_text(words.title)
        self._detail.set_text(words.detail)
        self._ring.show_words(words)
        self._raw.setVisible(words.raw)
        self._act.set_text(words.act)
        self._act.setVisible(bool(words.act))
        self.setAccessibleName(to_say(words.title))
        self.setAccessibleDescription(to_say(words.detail))
        self.setVisible(True)
        self.update()
        if cause != self._announced:
            self._announced = cause
            announce(self, f"{words.title}. {words.detail}", urgent=words.tone == "bad")

    def clear(self) -> None:
        """It is over."""
        self._announced = ""
        self.hide()

    def minimumSizeHint(self) -> QSize:
        return QSize(320, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, plate = brush.theme, QRectF(self.rect()).adjusted(12, 12, -12, -6)
            fill_panel(brush.painter, theme, plate, 8, theme.tint(self._words.tone))


class _PlaneButton(Button):
    """A plain button on a tint takes the content's plane."""

    def _plane(self, theme: object) -> QColor | None:
        return current().color("hover" if self.underMouse() else "content")


_SHORT_S = 2.0
"""Seconds within which a used-up window that opens again gets no banner."""

_COUNTED = (Cause.MINUTE, Cause.DAY, Cause.ASKED, Cause.BUSY, Cause.UNTOLD, Cause.BANNED)
"""What ends at a time, which the ring counts down."""


class Pause(QObject):
    """`banner` stands above the tabs' content; it hides while nothing is paused."""

    def __init__(self, desk: Desk, actions: ActionSet, window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._actions = desk, actions
        self._last: Cause | None = None
        self.banner = PauseBanner(window)
        self.banner.rawRequested.connect(self._show_raw)
        self.banner.waitsRequested.connect(actions["showWaiting"].trigger)
        self.banner.actRequested.connect(self._act)
        actions["resumeNow"].setEnabled(False)

    def update(self) -> None:
        """Called when the gate moves, and once a second for the countdown."""
        desk, now = self._desk, self._desk.now()
        blocked = desk.send_block()
        self._actions["resumeNow"].setEnabled(desk.gate.phase in (GatePhase.PAUSED, GatePhase.BANNED))
        if blocked is None or not _worth_a_banner(blocked, now):
            if not self.banner.isHidden():
                self.banner.clear()
            self._last = None
            return
        if blocked.cause is not Cause.PROBING or self._last is None:
            self._last = blocked.cause  # the request that asks belongs to the pause before it
        self.banner.show_words(banner_words(blocked, desk.outbox.unsent, now), self._last)

    def _act(self) -> None:
        """The banner's further button."""
        blocked = self._desk.send_block()
        does = {Cause.LOCKED: "changeKey", Cause.NO_KEY: "changeKey", Cause.OFFLINE: "refresh"}
        if blocked is not None:
            self._actions[does.get(blocked.cause, "resumeNow")].trigger()

    def _show_raw(self) -> None:
        desk, blocked = self._desk, self._desk.send_block()
        if blocked is not None and blocked.gate.raw:
            advice = send_block_words(blocked, desk.outbox.unsent, desk.now()).do
            from petstore_desktop.ui.questions.raw_answer import open_raw  # late: only when asked

            open_raw(self.banner.window(), tr("Server response"), plain_lines(blocked.gate.raw), advice)


def banner_words(blocked: SendBlock, unsent: int, now: float) -> BannerWords:
    """What the banner shows while `unsent` changes wait."""
    words = send_block_words(blocked, unsent, now)
    act = tr("Resume now…") if blocked.asks else ""
    key = tr("Change key…")
    act = {Cause.LOCKED: key, Cause.NO_KEY: key, Cause.OFFLINE: tr("Try again")}.get(blocked.cause, act)
    return BannerWords(
        words.title,
        words.detail,
        fraction_left(blocked, now) if blocked.cause in _COUNTED else None,
        bool(blocked.gate.raw),
        act,
        "bad" if blocked.cause in (Cause.BANNED, Cause.LOCKED, Cause.NO_KEY) else "wait",
    )


def fraction_left(blocked: SendBlock, now: float) -> float:
    """How much of the wait is left, 0 to 1."""
    since = blocked.gate.since
    if blocked.until is None or since is None or blocked.until <= since:
        return 1.0
    return max(0.0, min(1.0, (blocked.until - now) / (blocked.until - since)))


def _worth_a_banner(blocked: SendBlock, now: float) -> bool:
    if blocked.cause in (Cause.MINUTE_SHARE, Cause.TURN):
        return False  # the status bar and the change itself say it: this comes with every minute of a long job
    if blocked.since is not None:
        return now - blocked.since > _SHORT_S
    if blocked.gate.phase is GatePhase.SPENT:
        return blocked.until is not None and blocked.until - now > _SHORT_S
    return True
