"""Keeps the banner in step with the gate: why nothing is sent, until when, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.quota import Cause, GatePhase
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.status.pause_banner import BannerWords, PauseBanner
from petstore_desktop.ui.text.pause import send_block_words
from petstore_desktop.ui.text.translate import plain_lines, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.action_set import ActionSet

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
