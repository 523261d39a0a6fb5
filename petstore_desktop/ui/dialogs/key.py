"""Entering a key. It goes to the shop and nowhere else: no log, no file, no title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.errors import KeyringError, ShopError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.ui.dialogs.form import FormDialog
from petstore_desktop.ui.theme import isolate, plain
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.words import tr
from petstore_desktop.ui.words_errors import error_words

if TYPE_CHECKING:
    from petstore_desktop.ui.ports import ShopPort


class KeyDialog(FormDialog):
    """Asks for the shop's key, and says why."""

    def __init__(self, shop: ShopPort, error: ShopError | None, parent: QWidget | None = None) -> None:
        name = isolate(plain(shop.profile.name))
        super().__init__(tr("Key for {shop}", shop=name), _why(shop, error), parent)
        self.setObjectName("keyDialog")
        self._shop = shop
        # What the keyring did is said above, with where the key is kept then.
        note = (
            ""
            if isinstance(_reason(shop, error), KeyringError)
            else tr("Kept in this computer’s keyring, never in a file.")
        )
        self.key = FormField(tr("Key"), note, password=True)
        self.key.edit.setObjectName("keyField")
        self.body.addWidget(self.key)
        self.body.addWidget(self.wrong)
        self.set_cancel(tr("Later"))
        self.set_primary(tr("Use this key"))
        self.key.edit.setFocus()

    def accept(self) -> None:
        key = self.key.text().strip()
        if not key:
            self.key.set_error(tr("A key is needed."))
            return
        self.key.edit.clear()
        self._shop.use_key(key)
        super().accept()


def _reason(shop: ShopPort, error: ShopError | None) -> ShopError | None:
    """Why a key is asked for, as far as something went wrong."""
    wanted = shop.desk.key_wanted
    return error or (wanted.error if wanted is not None else None)


def _why(shop: ShopPort, error: ShopError | None) -> str:
    gate = shop.desk.gate
    wanted = shop.desk.key_wanted
    error = _reason(shop, error)
    if gate.phase is GatePhase.BANNED:
        return tr("The present key is banned for a while. Another key of the same service waits as long.")
    if error is not None:
        return error_words(error).sentence
    if wanted is not None:
        return tr("The service wants a key. Until there is one, what is on this computer can be read and edited.")
    return tr("The new key is used at once for everything that waits.")
