"""The dialog for an error: its words, Copy and Continue."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from petstore_desktop.ui.words import plain_lines
from petstore_desktop.ui.words_errors import error_words


def error_dialog(error: BaseException, report: str, parent: QWidget | None) -> ErrorDialog:
    """`report` are redacted details beyond the error's own words."""
    words = error_words(error)
    safe = " ".join(part for part in (words.safe, words.do) if part)
    details = "\n\n".join(part for part in (words.raw, plain_lines(report)) if part)
    return ErrorDialog(words.what, safe, details, parent)
