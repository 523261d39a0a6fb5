"""A new order: which pet, how many, and when it ships, with the sentence to read out."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.desk.ordering import (
    NewOrder,
    Offer,
    form_of,
    offer_of,
    reservation,
    typed_quantity,
)
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import add, in_column, in_row, named
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.ordering.day_field import DayField
from petstore_desktop.ui.ordering.order_texts import example_words, order_words, stock_words, warning_words
from petstore_desktop.ui.ordering.pet_field import PetPicker
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.text.changes.undo import stays_words
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.prices import cost_words, counted_requests, much_words
from petstore_desktop.ui.text.translate import field_word, number, sentences, status_word, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog, KeptField
from petstore_desktop.ui.widgets.labels import LEADING_ANSWER, PlainLabel, announce, say, set_tip

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed, Desk
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.edits import Edits

_WIDTH, _QUANTITY_WIDTH = 608, 112
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NewOrderDialog(FormDialog):
    """Places one order. `pet`: the one that it is for, as far as that is known; `reserve`: that is set aside in the
    same batch, so that one undo takes back both.

    Signals:
        placed: tuple[Ref, ...]: this order is to be saved.
        newPetWanted: tuple[str, Callable[[Ref], None]]: make a pet of this name, and call back with it.
    """

    placed = Signal(object)
    newPetWanted = Signal(object)

    def __init__(
        self, edits: Edits, pet: Ref | None = None, reserve: bool = False, parent: QWidget | None = None
    ) -> None:
        words = tr("Saved on this computer at once, then sent.")
        if self._chooses_id(edits.desk):
            words = tr("{what} The program chooses the id: this service does not.", what=words)
        words = stays_words(edits.desk, Resource.ORDERS, words)
        title = tr("Reserve for a caller") if reserve else tr("New order")
        super().__init__(title, words, parent, name="newOrderDialog")
        self.setMinimumWidth(current().scaled(_WIDTH))
        self._edits, self._desk, self._reserve = edits, edits.desk, reserve
        self._form = form_of(edits.desk)
        self.pet = PetPicker(edits.desk, edits.desk.allowed("new-pet").ok)
        self.quantity = FormField(tr("Quantity"), name="orderQuantity")
        self.quantity.set_text(number(1))
        self.quantity.edit.setFixedWidth(current().scaled(_QUANTITY_WIDTH))
        self.day = DayField(edits.desk, field_word("ship_date"), "orderDay")
        statuses = [(status, plain(status_word(status))) for status in self._form.statuses]
        if "status" not in self._form.requires:
            statuses.insert(0, ("", tr("as the service sets it")))
        self.status = ChoiceField(tr("Status"), statuses, exact=True, name="orderStatus")
        self._sentence = named(PlainLabel("", "text", 17, 500, wrap=True, leading=LEADING_ANSWER), "orderSentence")
        self._warning = named(PlainLabel("", "wait", 17, 500, wrap=True, leading=LEADING_ANSWER), "orderWarning")
        self._warning.hide()
        self._lay_out()
        self._connect()
        if pet is not None:
            self.pet.set_pet(pet)
        first = self.pet if pet is None else self._shown()[0] if self._shown() else self.primary
        first.setFocus()
        self.quantity.edit.selectAll()
        self._show()

    @staticmethod
    def _chooses_id(desk: Desk) -> bool:
        return desk.contract is not None and desk.contract.chooses_id(Resource.ORDERS)

    def _lay_out(self) -> None:
        self.quantity.setVisible("quantity" in self._form.takes)
        self.day.setVisible("ship_date" in self._form.takes)
        self.status.setVisible(bool(self._form.statuses))
        self.quantity.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        line = in_row(None, self.quantity, (self.day, 1), spacing=16)
        said = in_column(None, self._sentence, self._warning, spacing=0)
        add(self.body, self.pet, line, self.status, self.wrong, said)
        self.divide()
        self._requests = named(PlainLabel("", "text", 13, 600), "orderPrice")
        self._rest = named(PlainLabel("", "text", 13, elide=True), "orderPriceRest")
        for label in (self._requests, self._rest):
            self.add_footer(label)
        self.set_cancel()
        self.primary = self.set_primary_with_ctrl(tr("Reserve and order") if self._reserve else tr("Place order"))
        self.watch = PriceWatch(self._edits, self._asked, self)

    def _connect(self) -> None:
        self.pet.entered.connect(lambda: self._go_on(self.pet))
        self.day.entered.connect(lambda: self._go_on(self.day))
        self.quantity.edit.installEventFilter(self)
        self.pet.newWanted.connect(self._make_pet)
        for moved in (self.pet.touched, self.day.touched, self.quantity.edit.textChanged):
            moved.connect(self._touched)
        self.status.box.currentIndexChanged.connect(self._touched)
        self.pet.refreshed.connect(self._show)
        self.watch.priced.connect(self._show_price)

    def _make_pet(self, name: str) -> None:
        self.newPetWanted.emit((name, self.pet.set_pet))

    def fields(self) -> dict[str, FormField | ChoiceField | KeptField]:
        """What a person fills in."""
        every = {"pet": self.pet, "quantity": self.quantity, "ship_date": self.day, "status": self.status}
        return {name: field for name, field in every.items() if not field.isHidden()}

    def desk_changed(self, moved: Changed) -> None:
        """What moved at the desk in one turn: stock and orders are shown as they are now."""
        if moved.rows:
            self.pet.renew(Resource.PETS in moved.rows)

    # -- the sentence

    def _touched(self) -> None:
        self.say_wrong("")
        self._show()

    def _show(self) -> None:
        pet, today = self.pet.pet, self._desk.today
        offer = None if pet is None else offer_of(self._desk.shop, pet)
        quantity, day = self._typed_quantity(), self._typed_day()
        self.primary.setEnabled(offer is not None)
        self._sentence.set_tone("muted" if offer is None else "text")
        if offer is None:
            self._sentence.set_text(tr("Which pet?"))
            say(self._warning, "")
            self._show_price(None)
            return
        known = quantity if isinstance(quantity, int) else None
        warned = warning_words(offer, known, day if isinstance(day, date) else None, today, self._reserve)
        said = [order_words(offer, known, day, today)]
        said.append("" if warned.stock else stock_words(offer))
        said.append(self._reserve_words(offer))
        self._sentence.set_text(sentences(*said))
        if warned.words != self._warning.text():
            say(self._warning, warned.words)
            if warned.words:
                announce(self, warned.words)
        self.watch.soon()

    def _reserve_words(self, offer: Offer) -> str:
        own = self._desk.shop.own_status("pending")
        if not self._reserve or own is None or offer.kind == "pending":
            return ""
        return tr("The pet becomes {status}.", status=isolate(plain(status_word(own))))

    def _typed_quantity(self) -> int | BadInput | None:
        if self.quantity.isHidden():
            return None
        return typed_quantity(self._desk.shop, self.quantity.text())

    def _typed_day(self) -> date | str | None:
        """The ship date; a few dots as long as it is none."""
        if self.day.isHidden():
            return None
        try:
            return self.day.day()
        except ValueError:
            return "…"

    # -- the price

    def _asked(self) -> tuple[NewChange, ...] | None:
        changes = self._changes()
        return None if isinstance(changes, BadInput) else changes

    def _show_price(self, price: Price | None) -> None:
        now = self._desk.now()
        least = 2 if self._reserve else 1
        self._requests.set_text(counted_requests(least if price is None else price.requests))
        parts = () if price is None else cost_words(price, now)
        between = tr(", ", "between parts of a line")
        say(self._rest, f"·  {between.join(parts)}" if parts else "")
        self._rest.set_tone("wait" if price is not None and price.is_much else "text")
        set_tip(self._rest, much_words(price) if price is not None and price.is_much else self._rest.text())

    # -- placing it

    def _changes(self) -> tuple[NewChange, ...] | BadInput:
        """The order and, if wanted, what sets its pet aside."""
        pet, quantity, day = self.pet.pet, self._typed_quantity(), self._typed_day()
        if pet is None:
            return BadInput("pet-missing")
        if isinstance(quantity, BadInput):
            return quantity
        if isinstance(day, str):
            return BadInput("date-unreadable")
        status = "" if self.status.isHidden() else self.status.value()
        order = NewOrder(pet, quantity, day, status).change(self._desk, self._form)
        aside = reservation(self._desk, pet) if self._reserve else ()
        for made in (order, aside):
            if isinstance(made, BadInput):
                return made
        return (*aside, order) if not isinstance(order, BadInput) and not isinstance(aside, BadInput) else ()

    def accept(self) -> None:
        self.pet.finish()
        if self.refuses((self.status,)):
            return
        changes = self._changes()
        if isinstance(changes, BadInput):
            self._refuse(changes)
            return
        self._edits.apply_now(changes, "reserve" if self._reserve else "", drafts=self.drafts)
        self.placed.emit((changes[-1].ref,))
        super().accept()

    def _refuse(self, wrong: BadInput) -> None:
        if wrong.code.startswith("quantity"):
            self.quantity.refuse(bad_input_words(wrong.code))
            self.quantity.edit.selectAll()
        elif wrong.code.startswith("date"):
            self.day.refuse()
            self.say_wrong(example_words())
        else:
            self.say_wrong(bad_input_words(wrong.code))
            self.pet.setFocus()

    # -- keys

    def _shown(self) -> list[QWidget]:
        """The fields after the pet, in their order."""
        return [field for field in (self.quantity, self.day, self.status) if not field.isHidden()]

    def _go_on(self, field: QWidget) -> None:
        """Enter goes to the next field, and from the last one to the button."""
        if field is self.pet and self.pet.pet is None:
            return
        rest = [self.pet, *self._shown(), self.primary]
        rest[rest.index(field) + 1].setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.quantity.edit or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        entered = event.type() is QEvent.Type.KeyPress and event.key() in _ENTER and not event.modifiers() & _CTRL
        if entered:
            self._go_on(self.quantity)
        return entered


_CTRL = Qt.KeyboardModifier.ControlModifier
