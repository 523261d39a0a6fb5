"""Closing a window while changes are unsent: said once, and never again when asked not to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.price import sending_time
from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.connection.shop_switcher import unsent_elsewhere_words
from petstore_desktop.ui.text.changes.batches import paused_words
from petstore_desktop.ui.text.changes.change import closing_words
from petstore_desktop.ui.text.translate import sentences, tr
from petstore_desktop.ui.widgets.button import CheckBox
from petstore_desktop.ui.widgets.dialogs import Dialog, show

if TYPE_CHECKING:
    from petstore_desktop.ui.window.main_window import MainWindow

QUIET = "closing-words"
"""The preference that keeps "don't say again": `never`."""


def may_close(window: MainWindow) -> bool:
    """Whether the window may close now; if not, the question is on the screen."""
    window.parts.edits.settle()
    if window.ask_at_close is not None:
        return window.close_now or window.ask_at_close()
    desk = window.shop.desk
    unsent = desk.outbox.unsent
    elsewhere = unsent_elsewhere_words(window.parts.app.shops.all())
    quiet = window.parts.app.preference(QUIET) == "never" or (unsent == 0 and not elsewhere)
    kept = _kept(window)
    if window.close_now or (quiet and not kept):
        return True

    def close(never_again: bool) -> None:
        if never_again:
            window.parts.app.set_preference(QUIET, "never")
        window.close_now = True
        window.close()

    said: list[str] = []
    if kept:
        said.append(
            tr(
                "{n} cells have values that cannot be saved.",
                "",
                kept,
                one="{n} cell has a value that cannot be saved.",
            )
        )
    said += [] if quiet else _unsent_words(window, unsent, elsewhere)
    look = partial(_show_kept, window) if kept else window.parts.actions["showWaiting"].trigger
    open_closing(window, sentences(*said), close, look)
    return False


def open_closing(parent: QWidget, words: str, close: Callable[[bool], None], look: Callable[[], None]) -> None:
    """Unsent changes at closing; `close` gets whether not to say it again."""
    show(ClosingDialog(words, close, look, parent))


def _unsent_words(window: MainWindow, unsent: int, elsewhere: list[str]) -> list[str]:
    """The unsent changes, here and at other shops."""
    desk = window.shop.desk
    now = desk.now()
    paused = sum(job.left for job in desk.outbox.jobs() if job.paused)
    going = unsent - paused
    said: list[str] = []
    if going > 0:
        seconds = sending_time(desk, going, now)
        said.append(closing_words(going, seconds, desk.send_block(), now, unkept=desk.key_unkept))
    if paused:
        said.append(paused_words(paused))
    return [*said, *elsewhere]


def _kept(window: MainWindow) -> int:
    """How many cells have typed values that cannot be saved: they are lost with the window."""
    return sum(len(tab.model.invalid) for tab in window.built_tabs())


def _show_kept(window: MainWindow) -> None:
    """Go to the first of these cells."""
    for tab in window.built_tabs():
        for key, column in list(tab.model.invalid)[:1]:
            window.parts.navigation.open(Ref(tab.resource, key))
            section = [one.id for one in tab.table.columns].index(column)
            tab.view.setCurrentIndex(tab.model.index_of(key, section))
            return


class ClosingDialog(Dialog):
    """Close / Show / Cancel; `close` is called with whether not to say it again."""

    def __init__(
        self, words: str, close: Callable[[bool], None], look: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Close Pet Store Desktop?"), words, parent, name="closingDialog", width=480)
        self.never = CheckBox(tr("Don’t say this again"))
        self.body.setContentsMargins(0, 0, 0, 0)
        self.add_footer(self.never)
        self.set_cancel()
        self.show_button = named(self.add_button(tr("Show")), "showButton")
        self.set_primary(tr("Close"))
        self.show_button.clicked.connect(self.reject)
        self.show_button.clicked.connect(look)
        self.accepted.connect(lambda: close(self.never.isChecked()))
