"""The dialog for an error: its words, Copy and Continue. One at a time: what comes meanwhile waits until it is closed,
and the same words are not said twice; the log has every error."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.dialogs.opening import show
from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from petstore_desktop.ui.words_errors import error_words, plain_lines

_queue: list[ErrorDialog] = []
"""The first one is on the screen, or about to go."""


def error_dialog(error: BaseException, report: str, parent: QWidget | None) -> ErrorDialog:
    """`report` are redacted details beyond the error's own words."""
    words = error_words(error)
    safe = " ".join(part for part in (words.safe, words.do) if part)
    details = "\n\n".join(part for part in (words.raw, plain_lines(report)) if part)
    return ErrorDialog(words.what, safe, details, parent)


def show_error(error: BaseException, report: str, parent: QWidget | None) -> None:
    """Show the dialog now, or after those that came before."""
    dialog = error_dialog(error, report, parent)
    if any(one.windowTitle() == dialog.windowTitle() for one in _queue):
        dialog.deleteLater()
        return
    _queue.append(dialog)
    dialog.destroyed.connect(lambda: _gone(dialog))  # closed by a person, or taken along by its window
    if len(_queue) == 1:
        show(dialog)


def _gone(dialog: ErrorDialog) -> None:
    _queue.remove(dialog)
    QTimer.singleShot(0, _show_first)  # not now: the window, and the next one with it, may be going as well


def _show_first() -> None:
    if _queue and not _queue[0].testAttribute(Qt.WidgetAttribute.WA_DeleteOnClose):  # shown ones have it
        show(_queue[0])
