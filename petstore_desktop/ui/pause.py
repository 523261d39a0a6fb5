"""Keeps the pause banner in step with the gate: why, until when, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QHBoxLayout, QWidget

from petstore_desktop.domain.quota import GatePhase, GateView
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.widgets.pause_banner import PauseBanner
from petstore_desktop.ui.words import plain_lines, tr
from petstore_desktop.ui.words_state import pause_detail, pause_title

if TYPE_CHECKING:
    from petstore_desktop.ui.parts import WindowParts

_SHORT_S = 2.0
"""A used-up window that opens again within so many seconds is not worth a banner."""


class Pause(QObject):
    """`banner_row` is the row above the tabs' content; it hides while nothing is paused."""

    def __init__(self, parts: WindowParts, window: QWidget) -> None:
        super().__init__(window)
        self._parts = parts
        self.banner = PauseBanner()
        self.banner_row = QWidget(window)
        row = QHBoxLayout(self.banner_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.banner)
        self.banner_row.hide()
        self.banner.rawRequested.connect(self._show_raw)
        self.banner.waitsRequested.connect(parts.actions["showWaiting"].trigger)
        parts.actions["resumeNow"].setEnabled(False)

    def update(self) -> None:
        """Called when the gate moves, and once a second for the countdown."""
        gate, now = self._parts.shop.desk.gate, self._parts.now()
        shown = _worth_a_banner(gate, now)
        self._parts.actions["resumeNow"].setEnabled(gate.phase in (GatePhase.PAUSED, GatePhase.BANNED))
        if not shown:
            if not self.banner_row.isHidden():
                self.banner.clear()
                self.banner_row.hide()
            return
        waiting = self._parts.shop.desk.outbox.unsent
        self.banner.set_pause(
            pause_title(gate, now), pause_detail(gate, waiting), fraction_left(gate, now), bool(gate.raw)
        )
        self.banner_row.show()

    def _show_raw(self) -> None:
        gate = self._parts.shop.desk.gate
        if gate.raw:
            opening.open_raw(
                self.banner.window(),
                tr("What the service answered"),
                plain_lines(gate.raw),
                tr("Sending goes on by itself."),
            )


def fraction_left(gate: GateView, now: float) -> float:
    """How much of the pause is left, 0 to 1."""
    if gate.until is None or gate.since is None or gate.until <= gate.since:
        return 1.0
    return max(0.0, min(1.0, (gate.until - now) / (gate.until - gate.since)))


def _worth_a_banner(gate: GateView, now: float) -> bool:
    if gate.phase is GatePhase.OPEN:
        return False
    if gate.phase is GatePhase.SPENT:
        return gate.until is not None and gate.until - now > _SHORT_S
    return True
