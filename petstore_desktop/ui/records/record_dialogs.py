"""New pets, one name a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from petstore_desktop.desk.price import could_be_much
from petstore_desktop.desk.values.typed_numbers import parse_whole
from petstore_desktop.domain.changes import AddStock, Create, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, Key, LocalId, Ref, Resource, key_from_text, key_to_text
from petstore_desktop.ui.base.building import add, in_column, named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.grid.editing import choices
from petstore_desktop.ui.questions.price import PriceBox
from petstore_desktop.ui.records.text_fields import TextFields
from petstore_desktop.ui.text.changes.undo import stays_words
from petstore_desktop.ui.text.errors.inputs import bad_input_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.widgets.form import Field


class NewPetDialog(FormDialog):
    """One or several pets of one category (`category`: the likely one, None for none); each line is a name.

    Signals:
        added: tuple[Ref, ...]: these pets are to be saved.
    """

    added = Signal(object)

    def __init__(self, edits: Edits, category: Key | None, parent: QWidget | None = None) -> None:
        what = tr("One name per line. Saved at once, then sent.")
        contract = edits.desk.contract
        if contract is not None and contract.chooses_id(Resource.PETS):
            what = tr("{what} The program chooses the ids: this service does not.", what=what)
        words = stays_words(edits.desk, Resource.PETS, what)
        super().__init__(tr("New pets"), words, parent, name="newPetDialog")
        self._lacks = self._cannot = False
        """Whether the pets may be without a category; and whether there can be none at all."""
        self._edits, self._desk = edits, edits.desk
        desk = edits.desk
        self.category = ChoiceField(tr("Category"), choices(desk, "category"), exact=True)
        self.category.box.setPlaceholderText(tr("Choose a category"))
        if self.category.box.count() > 1:
            self.category.choose("" if category is None else key_to_text(category))
        self.first_category = FormField(tr("New category"), tr("There is none yet; this one is added with the pets."))
        self.first_category.edit.setObjectName("firstCategory")
        self.status = ChoiceField(tr("Status"), choices(desk, "status"), exact=True)
        self.status.setVisible(desk.allowed("new-pet", field="status").ok)
        self.texts = TextFields(desk, Resource.PETS)
        self.stock = FormField(tr("In stock, each"), placeholder=tr("none"), name="newPetStock")
        self.stock.setVisible(_have_stock(desk))
        self.stock.changed.connect(lambda: self.stock.set_error(""))
        self.stock.changed.connect(lambda: self._count())
        self.names = named(QPlainTextEdit(), "petNames", tr("Names, one per line"))
        self._offer_category()
        self.price = PriceBox(edits, self._asked)
        choices_ = (self.category, self.first_category, self.status)
        add(self.body, self._names_column(), *choices_, *self.texts.values(), self.stock, self.wrong, self.price)
        self.set_cancel()
        self.primary = self.set_primary_with_ctrl(tr("Add pets"))
        self.names.textChanged.connect(self._count)
        self._count()
        self.names.setFocus()

    def _offer_category(self) -> None:
        """Where there is no category to choose, one is made here; or there is none, if the service lets that be."""
        none, makes = not self._desk.categories(), self._desk.allowed("new-category").ok
        takes = self._desk.allowed("new-pet", field="category_id").ok
        self.category.setVisible(takes and not none)
        self.first_category.setVisible(takes and none and makes)
        self._lacks = not takes or (none and not self._desk.needs_category())
        self._cannot = none and not makes and not self._lacks
        if self._cannot:
            self.say_wrong(tr("Every pet needs a category, but there is none, and this service cannot add one."))
        elif takes and none and not makes:
            self.say_wrong(tr("There are no categories; the pets get none."))

    def fields(self) -> dict[str, Field]:
        """What a person fills in."""
        first: dict[str, Field] = {} if self.first_category.isHidden() else {"first": self.first_category}
        return {
            "category": self.category,
            "names": self.names,
            "status": self.status,
            **self.texts,
            **first,
            "stock": self.stock,
        }

    def _names_column(self) -> QVBoxLayout:
        self.names.setTabChangesFocus(True)
        self.names.setMinimumHeight(current().scaled(120))
        label = PlainLabel(tr("Names"))
        label.setBuddy(self.names)
        return in_column(None, label, self.names, spacing=6)

    def typed(self) -> list[str]:
        """The names, without blank lines."""
        return [line.strip() for line in self.names.toPlainText().splitlines() if line.strip()]

    def _count(self) -> None:
        n = len(self.typed())
        self.primary.set_text(tr("Add {n} pets", "", n, one="Add {n} pet") if n else tr("Add pets"))
        self.primary.setEnabled(n > 0 and not self._cannot)
        self.price.forget()
        if n > 1 or (n and self.stock.text().strip()):
            self.price.watch.soon()
        else:
            self.price.set_price(None)

    def _asked(self) -> tuple[NewChange, ...] | None:
        names = self.typed()
        made = [NewChange(Ref(Resource.PETS, LocalId(str(n))), Create({"name": name})) for n, name in enumerate(names)]
        return self._stocked(made) if names else None

    def _stock(self) -> int | BadInput:
        """How many of each pet there are; none where nothing is typed."""
        text = "" if self.stock.isHidden() else self.stock.text().strip()
        found = parse_whole(text, self._desk.shop.here.separators) if text else 0
        return BadInput("quantity-too-large") if isinstance(found, int) and found > INT64_MAX else found

    def _stocked(self, made: list[NewChange]) -> tuple[NewChange, ...]:
        """The same with what is booked of each pet, once the service has numbered it."""
        stock = self._stock()
        if isinstance(stock, BadInput) or not stock:
            return tuple(made)
        pets = [change.ref.key for change in made if change.ref.resource is Resource.PETS]
        return (*made, *(NewChange(Ref(Resource.INVENTORY, key), AddStock(stock)) for key in pets))

    def accept(self) -> None:
        if self.refuses((self.category, self.status)):
            return
        if isinstance(stock := self._stock(), BadInput):
            self.stock.refuse(bad_input_words(stock.code))
            return
        first = self._made_category()
        made = first if isinstance(first, BadInput) else self._made(first)
        if isinstance(made, BadInput):
            self.say_wrong(bad_input_words(made.code))
            about_category = isinstance(first, BadInput) or not (self.category.value() or first)
            field = self.category.box if self.first_category.isHidden() else self.first_category.edit
            (field if about_category else self.names).setFocus()
        elif len(self.typed()) > 1 and not self.price.is_known and could_be_much(self._desk, len(made)):
            self.price.then(self.accept)
        elif made and not self._cannot:
            self._edits.apply_now(made, drafts=self.drafts)
            self.added.emit(tuple(change.ref for change in made if change.ref.resource is Resource.PETS))
            super().accept()

    def _made_category(self) -> NewChange | BadInput | None:
        """The category that is made with the pets; None where there is one to choose, or none is to be."""
        name = self.first_category.text().strip()
        if self.first_category.isHidden() or (self._lacks and not name):
            return None
        return self._desk.acts.create(Resource.CATEGORIES, {"name": name}) if name else BadInput("category-missing")

    def _made(self, first: NewChange | None) -> tuple[NewChange, ...] | BadInput:
        chosen = "" if self.category.isHidden() else self.category.value()
        key = first.ref.key if first is not None else key_from_text(chosen) if chosen else None
        made: list[NewChange] = [] if first is None else [first]
        status = "" if self.status.isHidden() else self.status.value()
        free = "category_id" if first is not None or self._lacks else ""
        for name in self.typed():
            fields = {"name": name, "status": status or None, **self.texts.changed()}
            if isinstance(key, int | str | LocalId):
                fields["category_id"] = key
            change = self._desk.acts.create(Resource.PETS, fields, free)
            if isinstance(change, BadInput):
                return change
            made.append(change)
        return self._stocked(made)


def _have_stock(desk: Desk) -> bool:
    """Whether a new pet has a stock that can be booked: most pets here have one, so it comes with its pet."""
    stock, pets = desk.shop.stores[Resource.INVENTORY], desk.shop.stores[Resource.PETS]
    return desk.allowed("edit-stock").ok and 2 * len(stock) > len(pets)
