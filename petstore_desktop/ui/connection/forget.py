"""Forgetting a connection: what goes and what stays, before; and where the unsent changes are, after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from petstore_desktop.desk.checks.error_texts import FORGOTTEN
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add, named
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import counted_changes, sentences, tr
from petstore_desktop.ui.widgets.dialogs import Dialog, show
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.preferences import ShopConnection
    from petstore_desktop.ui.context.ports import Forgetting, ShopsPort


class ForgetDialog(Dialog):
    """Asks once, and shows the unsent changes when known; until then it cannot be confirmed."""

    def __init__(self, port: ShopsPort, connection: ShopConnection, parent: QWidget | None = None) -> None:
        name = isolate(plain(connection.name))
        calm = tr("Nothing changes at the service.")
        super().__init__(tr("Forget {shop}?", shop=name), calm, parent, name="forgetDialog", width=480, spacing=8)
        self._port, self._slug = port, connection.slug
        self.unsent = named(PlainLabel(tr("Looking for unsent changes…"), "text", wrap=True), "forgetUnsent")
        goes = tr(
            "This removes its key from the keyring and its data from this computer: the copy of its lists, the "
            "history, your views and minimum stock."
        )
        stays = tr("A pause or a ban by the service stays until it is over.")
        add(self.body, self.unsent, PlainLabel(goes, "muted", wrap=True), PlainLabel(stays, "muted", wrap=True))
        self.set_cancel(tr("Keep")).setFocus()
        self.button = self.set_primary(tr("Forget"))
        self.button.setEnabled(False)
        port.look_forgetting(connection.slug, self._known)

    def _known(self, found: Forgetting | ShopError) -> None:
        if not isValid(self):  # it went with its window meanwhile
            return
        if isinstance(found, ShopError):
            self.unsent.set_tone("bad")
            self.unsent.set_text(error_words(found).sentence)
            return
        self.button.setEnabled(True)
        self.unsent.set_text(_unsent_words(found))
        self.adjustSize()

    def accept(self) -> None:
        if self.button.isEnabled():
            super().accept()
            self._port.forget(self._slug)


def _unsent_words(found: Forgetting) -> str:
    if not found.unsent:
        return tr("All your changes there are sent.")
    rest = found.unsent - found.unsure
    never = tr(
        "{changes} are not sent yet and will never be.",
        "",
        rest,
        one="{changes} is not sent yet and will never be.",
        changes=counted_changes(rest),
    )
    folder = isolate(plain(found.export))
    saved = tr("All this is written to a file in {folder} first.", folder=folder)
    return sentences(never if rest else "", *_unsure_words(found.unsure), saved)


def _unsure_words(unsure: int) -> tuple[str, ...]:
    """What may have arrived is not to be made twice."""
    if not unsure:
        return ()
    words = tr(
        "It is not known whether {changes} arrived: check at the service before you make them again.",
        "",
        unsure,
        one="It is not known whether {changes} arrived: check at the service before you make it again.",
        changes=counted_changes(unsure),
    )
    return (words,)


def _saved_words(unsent: int, unsure: int) -> str:
    rest = unsent - unsure
    lost = tr("{changes} were not sent.", "", rest, one="{changes} was not sent.", changes=counted_changes(rest))
    place = tr("All this is in this file, and the same beside it as JSON:")
    return sentences(lost if rest else "", *_unsure_words(unsure), place)


def open_forgotten(
    parent: QWidget | None, name: str, unsent: int, export: str, unsure: int = 0, keyring: bool = True
) -> None:
    """Show the result: the file of unsent changes, and how many of them may have arrived; `keyring`: there was one."""
    shop, gone = isolate(plain(name)), tr(FORGOTTEN[keyring])
    dialog = Dialog(tr("{shop} is forgotten", shop=shop), gone, parent, name="forgottenDialog", width=480)
    if unsent:
        place = named(PlainLabel(export, "muted", wrap=True), "exportPlace")
        add(dialog.body, PlainLabel(_saved_words(unsent, unsure), "text", wrap=True), place)
    dialog.set_primary(tr("Close"))
    show(dialog)
