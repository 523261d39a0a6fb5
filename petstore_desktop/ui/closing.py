"""Closing a window while changes are unsent: said once, and never again when asked not to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.words_state import closing_words

if TYPE_CHECKING:
    from petstore_desktop.ui.main_window import MainWindow

QUIET = "closing-words"
"""The preference that keeps "don't say again": `never`."""
_SECONDS_A_CHANGE = 1.0


def may_close(window: MainWindow) -> bool:
    """Whether the window may close now; if not, the question is on the screen."""
    unsent = window.shop.desk.outbox.unsent
    if window.close_now or unsent == 0 or window.parts.app.preference(QUIET) == "never":
        return True

    def close(never_again: bool) -> None:
        if never_again:
            window.parts.app.set_preference(QUIET, "never")
        window.close_now = True
        window.close()

    words = closing_words(unsent, _forecast(window, unsent))
    opening.open_closing(window, words, close, window.parts.actions["showWaiting"].trigger)
    return False


def _forecast(window: MainWindow, unsent: int) -> float | None:
    """Seconds until everything is sent, as far as anyone can say."""
    gate, minute = window.shop.desk.gate, window.shop.desk.quota.minute
    wait = max(0.0, gate.until - window.parts.now()) if gate.until is not None else 0.0
    if gate.phase is GatePhase.LOCKED:
        return None
    a_change = 60.0 / minute.limit if minute.limit else _SECONDS_A_CHANGE
    return wait + unsent * 2 * a_change
