"""The dialog for an error: its words, Copy and Continue. One at a time: what comes meanwhile waits until it is closed,
and the same words are not said twice; the log has every error.

That the program did not end as it should is said by a strip above the lists, which takes neither keyboard nor time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMessageBox, QSizePolicy, QWidget

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.errors.errors import error_words, plain_lines
from petstore_desktop.ui.text.translate import sentences, speak, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import ErrorDialog, show
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import Plane

_queue: list[ErrorDialog] = []
"""The first one is on the screen, or about to go."""


def error_dialog(error: BaseException, report: str, parent: QWidget | None) -> ErrorDialog:
    """`report` are redacted details beyond the error's own words."""
    words = error_words(error)
    safe = sentences(words.safe, words.do)
    details = "\n\n".join(part for part in (words.raw, plain_lines(report)) if part)
    dialog = ErrorDialog(words.what, safe, details, parent)
    listed = error.params.get("list") if isinstance(error, StorageError) else None
    if isinstance(listed, str):
        look = dialog.add_button(tr("Open the list"))
        on_click(look, lambda: _open(listed), "openList")
    return dialog


def open_error(
    parent: QWidget | None,
    error: BaseException,
    report: str = "",
    lost: Sequence[str] = (),
    again: Callable[[], object] | None = None,
    seen: Callable[[], object] | None = None,
) -> None:
    """Show the dialog now, or after earlier ones; one with the same words also takes `lost` and `again`. `lost`: names
    of lost acts; `again`: repeats them; `seen`: called when a person has closed it."""
    dialog = error_dialog(error, report, parent)
    same = next((one for one in _queue if one.windowTitle() == dialog.windowTitle()), None)
    (same or dialog).add_lost(lost)
    if again is not None:
        (same or dialog).offer_again(tr("Try again"), tr("Discard"), again)
    if seen is not None:
        (same or dialog).finished.connect(lambda: seen())
    if same is not None:
        dialog.deleteLater()
        return
    _wait_for_turn(dialog)


def _wait_for_turn(dialog: ErrorDialog) -> None:
    _queue.append(dialog)
    dialog.destroyed.connect(lambda: _gone(dialog))  # closed by a person, or taken along by its window
    if len(_queue) == 1:
        show(dialog)


def open_crash_reports(
    parent: Callable[[], QWidget | None], folder: str, reports: str, seen: Callable[[], object]
) -> None:
    """Show what earlier crashes left in a folder; `seen`: called when a person has closed it."""
    what, safe = ended_words()
    dialog = ErrorDialog(what, safe, reports, parent())
    look = on_click(dialog.add_button(tr("Open the folder")), lambda: _open(folder), "openReports")
    look.setAutoDefault(False)
    dialog.finished.connect(lambda: seen())
    _wait_for_turn(dialog)


def _open(path: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))


def show_start_error(text: str) -> None:
    """Show what kept the program from starting, as it was told on stderr, and wait until the dialog is closed."""
    said = text.removeprefix("petstore-desktop: ").strip()
    speak(QApplication.instance() or QApplication([]), None)
    box = QMessageBox(QMessageBox.Icon.Critical, "Pet Store Desktop", tr("The program could not start."))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(f"{said[:1].upper()}{said[1:]}")
    box.exec()


def _gone(dialog: ErrorDialog) -> None:
    _queue.remove(dialog)
    QTimer.singleShot(0, _show_first)  # not now: the window, and the next one with it, may be going as well


def _show_first() -> None:
    if _queue and not _queue[0].testAttribute(Qt.WidgetAttribute.WA_DeleteOnClose):  # shown ones have it
        show(_queue[0])


_HEIGHT = 36


def ended_words() -> tuple[str, str]:
    """What happened, and what is safe."""
    return (
        tr("Pet Store Desktop did not end as it should the last time."),
        tr("What you saved is safe. This report stays on this computer; it holds no key and no record."),
    )


class CrashStrip(Plane, QWidget):
    """`look` shows the report, which a person has seen then; `seen` is called where the strip is closed instead."""

    ground = "wait_bg"

    def __init__(self, look: Callable[[], object], seen: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._seen = look, seen
        named(self, "crashStrip", to_say(sentences(*ended_words())))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(current().height(_HEIGHT))
        words = PlainLabel(sentences(ended_words()[0], tr("What you saved is safe.")), "text", wrap=True)
        details = on_click(Button(tr("Show the report"), "quiet"), self._show, "showCrashReport")
        close = on_click(Button(tr("Close"), "icon", "close"), self._close, "closeCrashStrip")
        middle = in_column(None, "stretch", words, "stretch")
        in_row(self, (middle, 1), 10, details, 4, close, margins=(16, 3, 8, 3))

    def tell(self) -> None:
        """Have it read out once."""
        announce(self, self.accessibleName())

    def _show(self) -> None:
        self._go()
        self._look()

    def _close(self) -> None:
        self._go()
        self._seen()

    def _go(self) -> None:
        self.hide()
        self.deleteLater()
