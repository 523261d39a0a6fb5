"""The present connection's settings: its name here, its key, its plan. Saving them opens the shop anew. Of the demo
shop there is only a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.dialogs.form import FormDialog, key_error
from petstore_desktop.ui.dialogs.plan import PlanFields
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.words import tr
from petstore_desktop.ui.words_errors import error_words

if TYPE_CHECKING:
    from petstore_desktop.ui.ports import ProfileFacts, ShopPort, WelcomePort


class ConnectionDialog(FormDialog):
    """The fields of a connection with what they hold now. The key is not shown: an empty field leaves it as it is."""

    def __init__(self, port: WelcomePort, profile: ProfileFacts, parent: QWidget | None = None) -> None:
        words = tr("They count from now on: the shop is opened anew with them. What is not sent yet stays.")
        super().__init__(tr("Connection settings"), words, parent)
        self.setObjectName("connectionDialog")
        self._port, self._profile = port, profile
        self._gone = False
        self.url = FormField(tr("Address of the service"), tr("Another address is another shop: connect that one."))
        self.url.edit.setObjectName("urlField")
        self.url.edit.setReadOnly(True)
        self.key = FormField(tr("Key"), password=True, placeholder=tr("unchanged"))
        self.key.edit.setObjectName("keyField")
        self.name = FormField(tr("Name of the shop"), tr("How it is called in this program."))
        self.name.edit.setObjectName("nameField")
        self.plan = PlanFields()
        for widget in (self.url, self.key, self.name, self.plan, self.wrong):
            self.body.addWidget(widget)
        self.url.set_text(profile.url)
        self.name.set_text(profile.name)
        self.plan.set_plan(profile.limits)
        self.set_cancel(tr("Cancel"))
        self.button = self.set_primary(tr("Save"))
        self.destroyed.connect(self._forget)
        self.plan.choice.box.setFocus()

    def _forget(self) -> None:
        self._gone = True

    def accept(self) -> None:
        name, plan, key = self.name.text().strip(), self.plan.plan(), self.key.text().strip()
        self.name.set_error("" if name else tr("A name is needed."))
        wrong = key_error(key)
        self.key.set_error(wrong)
        if plan is None or not name or wrong:
            return
        if (name, plan) == (self._profile.name, self._profile.limits) and not key:
            super().accept()
            return
        self.button.setEnabled(False)
        self._port.change(self._profile.name, name, key, plan, self._kept)

    def _kept(self, error: ShopError | None) -> None:
        if self._gone:
            return
        self.button.setEnabled(True)
        if error is not None:
            self.say_wrong(error_words(error).sentence)
            return
        self.key.edit.clear()
        super().accept()


class DemoDialog(FormDialog):
    """What the program is to know of the demo shop's plan: it counts at once, and is forgotten with the window."""

    def __init__(self, shop: ShopPort, parent: QWidget | None = None) -> None:
        words = tr("Choose what the program is told of the plan. The demo shop keeps the one that it was started with.")
        super().__init__(tr("Connection settings"), words, parent)
        self.setObjectName("connectionDialog")
        self._shop = shop
        self.plan = PlanFields()
        self.plan.set_plan(shop.profile.limits)
        self.body.addWidget(self.plan)
        self.set_cancel(tr("Cancel"))
        self.set_primary(tr("Save"))
        self.plan.choice.box.setFocus()

    def accept(self) -> None:
        plan = self.plan.plan()
        if plan is not None:
            self._shop.use_plan(plan)
            super().accept()
