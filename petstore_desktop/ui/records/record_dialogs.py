"""The forms in which records are filled in: a new category, or the change of one pet or category; new pets, one name a
line; and the same new values for several records, where each field is left as it is, or becomes something.

Several go through the preview. Which records: `selected` in `ui/window/actions/handlers`. What the values come to:
`desk/preview`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from petstore_desktop.desk.columns.columns import COLUMNS, COLUMNS_BY_ID
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.preview import CellInput, Preview
from petstore_desktop.desk.price import could_be_much
from petstore_desktop.desk.values.typed_numbers import parse_quantity, parse_whole
from petstore_desktop.domain.changes import AddStock, Create, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import (
    FREE_TEXTS,
    INT64_MAX,
    FieldValue,
    Key,
    LocalId,
    Ref,
    Resource,
    key_from_text,
    key_to_text,
)
from petstore_desktop.ui.base.building import add, in_column, named
from petstore_desktop.ui.base.theme import current, isolate, plain, to_say
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.grid.editing import choices
from petstore_desktop.ui.questions.price import PriceBox
from petstore_desktop.ui.records.form_drafts import field_text
from petstore_desktop.ui.text.changes.undo import stays_words
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.localize import day_in_numbers
from petstore_desktop.ui.text.translate import column_title, counted, field_word, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, Field, FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.ui.context.edits import Edits


def close_field(field: FormField | ChoiceField, reason: str, shop: str = "") -> None:
    """Let nothing be filled in where the service would not take it, and say why. `reason`: as `Allowed` has it, empty
    where it may be."""
    words = obstacle_words(reason, isolate(plain(shop)) if shop else "")
    if not words:
        return
    field.setEnabled(False)
    field.setToolTip(words)
    (field.box if isinstance(field, ChoiceField) else field.edit).setAccessibleDescription(to_say(words))


def close_refused(desk: Desk, ref: Ref, fields: Mapping[str, FormField | ChoiceField]) -> None:
    """The same for the fields of a record, by the names of their columns."""
    for name, field in fields.items():
        close_field(field, desk.obstacle(COLUMNS_BY_ID[ref.resource][name], ref))


class TextFields(dict[str, FormField]):
    """By name, filled with what the record `key` has now; None for a new one."""

    def __init__(self, desk: Desk, resource: Resource, key: Key | None = None) -> None:
        table = desk.tables[resource]
        self._before = {name: "" if key is None else table.cell_of(key, name).text for name in FREE_TEXTS[resource]}
        super().__init__({name: FormField(field_word(name), tr("A few words; may be empty.")) for name in self._before})
        for name, text in self._before.items():
            self[name].set_text(text)

    def changed(self) -> dict[str, FieldValue]:
        """The typed text if it differs; spaces instead of nothing count as nothing."""
        now = ((name, field.text(), self._before[name]) for name, field in self.items())
        return {name: text for name, text, before in now if text != before and (before or text.strip())}


class RecordDialog(FormDialog):
    """The name and texts of a pet or category, and a pet's category and status; what the service does not take is shown
    but cannot be changed. `ref` None makes a new category."""

    def __init__(
        self, desk: Desk, ref: Ref | None, apply: Callable[[tuple[NewChange, ...]], None], parent: QWidget | None = None
    ) -> None:
        title, words = tr("New category"), tr("Saved at once, then sent: 1 request.")
        if ref is None:
            words = stays_words(desk, Resource.CATEGORIES, words)
        else:
            title = tr("Edit {name}", name=plain(desk.title(ref)) or counted(ref.resource, 1))
        is_pet = ref is not None and ref.resource is Resource.PETS
        super().__init__(title, words, parent, name="editPetDialog" if is_pet else "categoryDialog")
        self._desk, self._ref, self._apply = desk, ref, apply
        names = ("category", "status") if is_pet else ()
        self.choices = {name: ChoiceField(field_word(name), choices(desk, name), exact=True) for name in names}
        self.name = FormField(tr("Name"))
        resource = Resource.PETS if is_pet else Resource.CATEGORIES
        self.texts = TextFields(desk, resource, None if ref is None else ref.key)
        if ref is not None:
            self._fill(ref)
            close_refused(desk, ref, {"name": self.name, **self.choices, **self.texts})
        accept = tr("Add category") if ref is None else tr("Save")
        self.lay_out(self.name, *self.choices.values(), *self.texts.values(), accept=accept)

    def _fill(self, ref: Ref) -> None:
        cells = {name: self._desk.tables[ref.resource].cell_of(ref.key, name) for name in ("name", *self.choices)}
        self.name.set_text(cells["name"].text)
        for name, field in self.choices.items():
            linked = cells[name].ref
            field.choose(cells[name].text if name == "status" else "" if linked is None else key_to_text(linked.key))

    def fields(self) -> dict[str, Field]:
        """What a person fills in."""
        return {"name": self.name, **self.choices, **self.texts}

    def accept(self) -> None:
        if self.refuses(self.choices.values()):
            return
        fields: dict[str, FieldValue] = {"name": self.name.text(), **self.texts.changed()}
        chosen = {name: field.value() for name, field in self.choices.items() if field.value()}
        if "category" in chosen and isinstance(key := key_from_text(chosen.pop("category")), int | str | LocalId):
            fields["category_id"] = key
        made = self._made({**fields, **chosen})
        if isinstance(made, BadInput):
            self.say_wrong(bad_input_words(made.code))
            return
        self._apply(made)
        super().accept()

    def _made(self, fields: dict[str, FieldValue]) -> tuple[NewChange, ...] | BadInput:
        if self._ref is not None:
            return self._desk.acts.set_fields((self._ref,), fields)
        change = self._desk.acts.create(Resource.CATEGORIES, fields)
        return change if isinstance(change, BadInput) else (change,)


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


_FIRST: Mapping[Resource, tuple[str, ...]] = {
    Resource.PETS: ("status", "category", "stock"),
    Resource.CATEGORIES: ("description",),
    Resource.ORDERS: ("state", "ship_date"),
    Resource.INVENTORY: (),
}
"""The columns that likeliest get one value for many records: they stand first, and there the keyboard begins."""


class BulkEditDialog(FormDialog):
    """New values for the records `refs`, which are of one kind; `go_on` gets the preview of them."""

    def __init__(
        self,
        desk: Desk,
        shop_name: str,
        refs: tuple[Ref, ...],
        go_on: Callable[[Preview], object],
        parent: QWidget | None = None,
    ) -> None:
        resource = refs[0].resource
        one_order = len(refs) == 1 and resource is Resource.ORDERS
        things = tr("order {id}", id=refs[0].key) if one_order else counted(resource, len(refs))
        what = tr("Nothing is saved yet: a preview comes next.")
        super().__init__(tr("Change {things}", things=things), what, parent, name="bulkEditDialog")
        self._desk, self._shop_name, self._refs, self._go_on = desk, shop_name, refs, go_on
        named = {column.id: column for column in COLUMNS[resource] if column.editable}
        names = dict.fromkeys((*_FIRST[resource], *named))
        self.fields = {name: self._field(resource, named[name]) for name in names}
        add(self.body, *self.fields.values(), self.wrong)
        self.set_cancel()
        self.primary = self.set_primary(tr("Preview"), tr("Enter"))
        self._touched()
        self.focus_field()

    def focus_field(self, column_id: str = "") -> None:
        """Give the keyboard to the field of a column, if something can be typed there, or else to the first one."""
        wanted = [self.fields[column_id]] if column_id in self.fields else []
        field = next((one for one in (*wanted, *self.fields.values()) if one.isEnabled()), None)
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _field(self, resource: Resource, column: Column) -> ChoiceField | FormField:
        label, leave = column_title(resource, column.id), tr("No change")
        if column.choices:
            field = ChoiceField(label, [("", leave), *choices(self._desk, column.choices)], exact=True)
            typed, touched = field.box, field.box.currentIndexChanged
        else:
            field = FormField(label, _NOTES.get(column.kind, lambda: "")(), placeholder=leave)
            typed, touched = field.edit, field.edit.textChanged
        typed.setObjectName(f"bulk-{column.id}")
        touched.connect(self._touched)
        close_field(field, self._desk.obstacle(column, None, resource), self._shop_name)
        return field

    def wanted(self) -> dict[str, str]:
        """The columns that get a new value, with it."""
        return {name: text for name, field in self.fields.items() if (text := field_text(field)).strip()}

    def _touched(self) -> None:
        self.say_wrong("")
        self.primary.setEnabled(bool(self.wanted()))
        for field in self.fields.values():
            if isinstance(field, FormField):
                field.set_error("")

    def accept(self) -> None:
        if self.refuses(self.fields.values()):
            return
        wanted = self.wanted()
        for name, text in wanted.items():
            problem = self._problem(name, text)
            field = self.fields[name]
            if problem and isinstance(field, FormField):
                field.refuse(problem)
                field.edit.selectAll()
                return
        if wanted:
            cell_inputs = (CellInput(ref, name, text) for ref in self._refs for name, text in wanted.items())
            preview = Preview(self._desk, cell_inputs, at_once=False, expected=len(self._refs) * len(wanted))
            preview.source = "bulk"
            super().accept()
            self._go_on(preview)

    def _problem(self, name: str, text: str) -> str:
        """The error of a text for every record; errors for some records show in the preview."""
        kind = next(column.kind for column in COLUMNS[self._refs[0].resource] if column.id == name)
        if kind in ("stock", "number"):
            said = parse_quantity(text, None, self._desk.shop.here.separators)
        elif kind == "date":
            said = self._desk.acts.typed().value(self._refs[0], name, text)
        else:
            return ""
        return bad_input_words(said.code) if isinstance(said, BadInput) else ""


_NOTES: Mapping[str, Callable[[], str]] = {
    "stock": lambda: tr("+12 adds, −3 subtracts, 40 or =40 sets"),
    "number": lambda: tr("+1 adds, −1 subtracts, 2 sets"),
    "date": lambda: tr(
        "A day, such as {example} or tomorrow; the time stays", example=day_in_numbers(date(2026, 12, 24))
    ),
}
