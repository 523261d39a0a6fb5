"""Entering a key. It goes to the shop and nowhere else: no log, no file, no title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.errors import KeyringError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.connection.connect_parts import KeyFields
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.form import FormDialog

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.shop.live_shop import LiveShop

SETTLE_MS = 500
"""Milliseconds for which a dialog that opened by itself ignores keys typed for something else."""


class KeyDialog(FormDialog):
    """Asks for the shop's key, and says why. `unasked`: it opens by itself, without a person's act."""

    def __init__(self, shop: LiveShop, parent: QWidget, unasked: bool = False) -> None:
        name = isolate(plain(shop.connection.name))
        super().__init__(tr("Key for {shop}", shop=name), _why(shop), parent, name="keyDialog")
        self._shop = shop
        # What the keyring did is said above, with where the key is kept then.
        note = (
            ""
            if isinstance(_reason(shop), KeyringError)
            else tr("It goes into this computer’s keyring if it has one, never into a file.")
        )
        self.keys = KeyFields(note)
        self.keys.show_keys(shop.desk.contract.keys if shop.desk.contract is not None else ())
        self.key = self.keys.main
        self.lay_out(self.keys, accept=tr("Use this key"), cancel=tr("Later"))
        self._settled = not unasked
        if unasked:
            self.keys.setEnabled(False)
            QTimer.singleShot(SETTLE_MS, self, self._settle)

    def _settle(self) -> None:
        self._settled = True
        self.keys.setEnabled(True)
        self.key.edit.setFocus()

    def reject(self) -> None:
        if self._settled:
            super().reject()

    def accept(self) -> None:
        if not self._settled:
            return
        keys = self.keys.keys()
        if keys == UseKey(""):
            self.key.set_error(tr("Enter a key."))
            return
        if not self.keys.check():
            return
        self.keys.clear()
        self._shop.submit(keys)
        super().accept()


def _reason(shop: LiveShop) -> ShopError | None:
    """Why a key is asked for, as far as something went wrong."""
    wanted = shop.desk.key_wanted
    return wanted.error if wanted is not None else None


def _why(shop: LiveShop) -> str:
    wanted, error = shop.desk.key_wanted, _reason(shop)
    if shop.desk.gate.phase is GatePhase.BANNED:
        banned = tr("This key is banned for a while. Another key for the same service waits as long.")
        return tr("{banned} Your changes are saved on this computer.", banned=banned)
    if error is not None:
        return error_words(error).sentence
    if wanted is not None:
        return tr("The service needs a key. Until then you can read and edit the data on this computer.")
    return tr("The new key is used at once for all unsent changes.")
