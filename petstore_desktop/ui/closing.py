"""Closing a window while changes are unsent: said once, and never again when asked not to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.desk.price import sending_time
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.words_change import closing_words
from petstore_desktop.ui.words_jobs import paused_words
from petstore_desktop.ui.words_shops import unsent_elsewhere_words

if TYPE_CHECKING:
    from petstore_desktop.ui.main_window import MainWindow

QUIET = "closing-words"
"""The preference that keeps "don't say again": `never`."""


def may_close(window: MainWindow) -> bool:
    """Whether the window may close now; if not, the question is on the screen."""
    window.parts.settle()
    desk = window.shop.desk
    unsent = desk.outbox.unsent
    elsewhere = unsent_elsewhere_words(window.parts.app.shops.all())
    if window.close_now or (unsent == 0 and not elsewhere) or window.parts.app.preference(QUIET) == "never":
        return True

    def close(never_again: bool) -> None:
        if never_again:
            window.parts.app.set_preference(QUIET, "never")
        window.close_now = True
        window.close()

    now = window.parts.now()
    paused = sum(job.left for job in desk.outbox.jobs() if job.paused)
    going = unsent - paused
    said = [closing_words(going, sending_time(desk, going, now), desk.halt(), now)] if going > 0 else []
    if paused:
        said.append(paused_words(paused))
    said += elsewhere
    opening.open_closing(window, " ".join(said), close, window.parts.actions["showWaiting"].trigger)
    return False
