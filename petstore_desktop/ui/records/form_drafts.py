"""Stores drafts of half-filled dialogs, fills them in again after a crash, and asks before one is dropped."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtWidgets import QDialog, QWidget

from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.shop.live_shop import LiveShop
from petstore_desktop.ui.base.building import in_row, named, on_click, timer
from petstore_desktop.ui.questions.confirm import ask_to_drop
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, Field, FormDialog, KeptField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel

KEPT_AFTER_MS = 500
"""Milliseconds after the first unsaved key until the draft is stored; further typing does not delay it."""


class Drafting(QObject):
    """The draft of one dialog, under the name `form`, from its opening until OK or Cancel; a dialog that ends with the
    program leaves it there. `fields` by names that stay the same over versions; a key is never one of them."""

    def __init__(self, dialog: Dialog, shop: LiveShop, form: str, fields: Mapping[str, Field]) -> None:
        super().__init__(dialog)
        self._shop, self._form, self._fields = shop, form, dict(fields)
        self._began = self._now()
        """What the fields hold while nothing is typed."""
        self._kept: dict[str, str] | None = None
        self._soon = timer(self, KEPT_AFTER_MS, self._keep, once=True)
        self._dialog = dialog
        self.offer()
        for field in self._fields.values():
            _access(field)[2].connect(self._touched)
        dialog.guard = self._leave
        dialog.finished.connect(self._done)

    def _touched(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _keep(self) -> None:
        now = self._now()
        if now == (self._began if self._kept is None else self._kept):
            return
        self._kept = now
        self._shop.submit(KeepDraft(self._form, now))

    def _leave(self, close: Callable[[], object]) -> None:
        if self._now() == self._began:
            close()
        else:
            ask_to_drop(self._dialog, close)

    def _done(self, result: int) -> None:
        """Delete the draft after OK or Cancel, unless what was saved has ended it."""
        self._soon.stop()
        own = isinstance(self._dialog, FormDialog) and self._dialog.draft == self._form
        if self._kept is not None and not (own and result == QDialog.DialogCode.Accepted):
            self._shop.submit(KeepDraft(self._form, None))

    # -- after a crash

    def offer(self) -> None:
        """Fill in the stored draft, if there is one and nothing is typed yet; again once the journal is read."""
        draft = self._shop.desk.drafts.get(self._form)
        untouched = self._kept is None and self._now() == self._began
        if draft is not None and untouched:
            self._continue(self._dialog, draft)

    def _continue(self, dialog: Dialog, draft: Draft) -> None:
        self._fill(draft.content)
        self._kept = dict(draft.content)
        row = named(QWidget(), "draftRow")
        at = moment(draft.at, self._shop.desk.now())
        words = PlainLabel(tr("Your draft of {time} is filled in.", time=at), "muted", 12, wrap=True)
        anew = on_click(LinkLabel(tr("Start over"), 12), lambda: self._begin_anew(row), "beginAnew")
        in_row(row, (words, 1), anew, spacing=-1)
        dialog.body.insertWidget(0, row)

    def _begin_anew(self, row: QWidget) -> None:
        self._fill(self._began)
        self._soon.stop()
        self._kept = None
        self._shop.submit(KeepDraft(self._form, None))
        row.hide()
        next(iter(self._fields.values())).setFocus()

    def _fill(self, content: Mapping[str, str]) -> None:
        for name, field in self._fields.items():
            if (text := content.get(name)) is not None:
                _access(field)[1](text)

    def _now(self) -> dict[str, str]:
        return {name: field_text(field) for name, field in self._fields.items()}


def _access(field: Field) -> tuple[Callable[[], str], Callable[[str], None], SignalInstance]:
    """How to read a field and fill it, and what tells that it was changed."""
    if isinstance(field, FormField):
        return field.text, field.set_text, field.edit.textChanged
    if isinstance(field, KeptField):
        return field.text, field.set_text, field.touched
    if isinstance(field, ChoiceField):
        return field.value, field.set_value, field.box.currentIndexChanged
    return field.toPlainText, field.setPlainText, field.textChanged


def field_text(field: Field) -> str:
    """What a field of a form holds."""
    return _access(field)[0]()
