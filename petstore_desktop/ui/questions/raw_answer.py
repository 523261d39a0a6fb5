"""The service's answer as it came, as plain text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from petstore_desktop.domain.errors import BadInput, ShopError, StorageError
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog, show

_LEAST = 520
"""So wide (px at base 13), for words that wrap."""


class RawDialog(Dialog):
    """Copy and close; with `again` a next step that accepts the dialog. Without a `raw` text only the words are shown,
    and copied."""

    def __init__(self, title: str, raw: str, advice: str = "", again: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, advice, parent, name="rawDialog", width=_LEAST)
        self.text = named(QPlainTextEdit(raw), "rawAnswer", tr("Server response"))
        self.text.setReadOnly(True)
        self.text.setMinimumSize(current().scaled(480), current().scaled(180))
        self.body.addWidget(self.text)
        self.text.setVisible(bool(raw))
        self.add_copy(tr("Copy"), lambda: raw or f"{title}\n{advice}", "copyButton")
        if again:
            self.set_cancel(tr("Close"))
            self.set_primary(again)
        else:
            self.set_primary(tr("Close"))


def open_raw(
    parent: QWidget, title: str, raw: str, advice: str = "", again: str = "", do: Callable[[], object] | None = None
) -> None:
    """The service's answer as it came, with a next step if there is one."""
    dialog = RawDialog(title, raw, advice, again, parent)
    if do is not None:
        dialog.accepted.connect(lambda: do())
    show(dialog)


def open_failure(parent: QWidget, error: ShopError, again: str, do: Callable[[], object]) -> None:
    """Shows why something failed, what is safe and the next step, with the server response below."""
    words = error_words(error)
    raw = "" if isinstance(error, BadInput | StorageError) else words.raw  # of a file, the words say all
    open_raw(parent, words.what, raw, f"{words.safe} {words.do}".strip(), again, do)
