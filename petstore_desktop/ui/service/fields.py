"""The fields of the program's lists: where the service has each, with a value that was read. Another place is chosen
by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import NOWHERE, SAME, Path, Verb, value_at
from petstore_desktop.desk.checks.check_words import FIELD_TITLES
from petstore_desktop.domain.records import ALL_SPECS, FieldSpec, Record, Resource, plain
from petstore_desktop.ui.base.building import add, in_column, in_row, named
from petstore_desktop.ui.base.theme import Tone, current, isolate
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.grid.table_view import TableView, make_choosable
from petstore_desktop.ui.text.cell import DASH, Cell
from petstore_desktop.ui.text.errors.operations import note_words, short
from petstore_desktop.ui.text.translate import resource_title, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.desk.model.row_store import RowStore
    from petstore_desktop.shop.live_shop import LiveShop

LIST, FIELD, HOW, PLACE, SAMPLE = range(5)
FIELDS = tuple((resource, spec) for resource, specs in ALL_SPECS.items() for spec in specs)
_RECORDS = 20
"""Records of a list that are looked at for a value."""
_DEPTH, _NAMES, _LONGEST = 3, 100, 200
"""Objects in one another that are looked into, names that are offered, and letters of one that is typed."""


class FieldsModel(CellModel[int]):
    """One row for each field. `chosen` are a person's choices that are not kept yet, `pets.name` to `title.en`, or to
    nothing for the program's own."""

    def __init__(self, shop: LiveShop, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = range(len(FIELDS))
        self.columns = (
            CellColumn(tr("List"), lambda row: Cell(text=resource_title(FIELDS[row][0]), tone="muted")),
            CellColumn(tr("Column"), lambda row: Cell(text=tr(FIELD_TITLES[FIELDS[row][1].name]))),
            CellColumn(tr("Found"), self._found),
            CellColumn(tr("Name in the service"), lambda row: _or_dash(self.place(row))),
            CellColumn(tr("Example"), lambda row: _or_dash(self._sample(row))),
        )
        contract = shop.desk.contract or Contract({})
        self._maps, self._by_hand = contract.fields, contract.by_hand
        stores = shop.desk.shop.stores
        self._shows = {one: _shown(contract, one) for one in Resource}
        self._read = {one: _records(stores[one]) for one in Resource}
        self.chosen: dict[str, str] = {}

    def choose(self, row: int, place: str) -> None:
        """A person says that it lies there; empty for the program's own choice."""
        name = _name(row)
        self.chosen.pop(name, None)
        if place != self._by_hand.get(name, ""):
            self.chosen[name] = place
        self.repaint()

    def said(self, row: int) -> str:
        """The place that a person chose for the field; empty for none."""
        return self.chosen.get(_name(row), self._by_hand.get(_name(row), ""))

    def own(self, row: int) -> str:
        """The place that the program found for it; empty where that is not known."""
        resource, spec = FIELDS[row]
        return "" if _name(row) in self._by_hand else ".".join(self._path(resource, spec))

    def names(self, row: int) -> list[str]:
        """The places in the records that were read at which something lies."""
        resource, _ = FIELDS[row]
        known = (".".join(self._path(resource, spec)) for spec in ALL_SPECS[resource])
        seen = (name for record in self._read[resource] for name in _names(dict(record.extra), _DEPTH))
        return list(islice(dict.fromkeys(name for name in (*known, *seen) if name), _NAMES))

    def _found(self, row: int) -> Cell:
        words, icon, tone = self.how(row)
        return Cell(text=words, kind="pill", icon=icon, tone=tone)

    def how(self, row: int) -> tuple[str, str, Tone]:
        """Words, icon and tone that say whether it was found, and how."""
        resource, spec = FIELDS[row]
        if _name(row) in self.chosen:
            return (tr("chosen by you") if self.said(row) else tr("automatic")), "pencil", "accent"
        if self.said(row):
            return tr("chosen by you"), "check", "ok"
        path, shows = self._path(resource, spec), self._shows[resource]
        if self.is_guess(row):
            is_key = spec == ALL_SPECS[resource][0]
            return (tr("unclear, read only") if is_key else tr("a guess, read only")), "unknown", "wait"
        if path != NOWHERE and (self._sample(row) or plain(path[0]) in shows):
            return (tr("as the program names it") if path == (spec.wire,) else tr("found")), "check", "ok"
        if path == NOWHERE or shows or self._read[resource]:
            return tr("not found"), "warning", "wait"
        return tr("nothing read yet"), "unknown", "done"

    def is_guess(self, row: int) -> bool:
        """Whether its name may mean something else, and no person has said that it is this field."""
        resource, spec = FIELDS[row]
        return not self.said(row) and spec.name in self._maps.get(resource, SAME).guessed

    def place(self, row: int) -> str:
        """Where it lies in the service's records; empty for nowhere."""
        if _name(row) in self.chosen:
            return self.said(row) or self.own(row)
        return ".".join(self._path(*FIELDS[row]))

    def _path(self, resource: Resource, spec: FieldSpec) -> Path:
        return self._maps.get(resource, SAME).path(spec)

    def _sample(self, row: int) -> str:
        """A value that was read; of a place that is not kept yet, what lies there."""
        resource, spec = FIELDS[row]
        other = tuple(self.chosen.get(_name(row), "").split("."))
        read = (value_at(one.extra, other) if all(other) else getattr(one, spec.name) for one in self._read[resource])
        return next((str(value) for value in read if value not in (None, "")), "")


def _or_dash(words: str) -> Cell:
    return Cell(text=short(words)) if words else Cell(text=DASH, tone="faint")


def _name(row: int) -> str:
    resource, spec = FIELDS[row]
    return f"{resource.value}.{spec.name}"


def _shown(contract: Contract, resource: Resource) -> tuple[str, ...]:
    """The fields that the service's own document gives the records of a list, as `plain` has them."""
    listing = contract.find(resource, Verb.LIST)
    return () if listing is None or contract.source == "default" else listing.shows


def _records(store: RowStore) -> list[Record]:
    found = (store.record(store.keys[slot]) for slot in islice(store.slots(), _RECORDS))
    return [record for record in found if record is not None]


def _names(value: object, depth: int, above: str = "") -> Iterator[str]:
    """The names of an object's fields, and after each those of the object that it holds."""
    if not isinstance(value, dict) or not depth:
        return
    for name, inner in cast("dict[str, object]", value).items():
        if not name or "." in name or len(above) + len(name) > _LONGEST:
            continue
        if isinstance(inner, bool | int | float | str | None):
            yield above + name
        yield from _names(inner, depth - 1, f"{above}{name}.")


_MARGIN = 20
_WIDTHS = {LIST: 100, FIELD: 110, HOW: 180, PLACE: 190}


class FieldsPage(QWidget):
    """A table of the fields; below it where the selected one lies, chosen among the names that were read, or typed."""

    def __init__(self, shop: LiveShop, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FieldsModel(shop, self)
        self.view = TableView(self)
        make_choosable(self.view, "fieldsTable", tr("Fields"), self.model, FIELD)
        for section, width in _WIDTHS.items():
            self.view.header.resizeSection(section, current().scaled(width))
        self.view.header.setSectionResizeMode(SAMPLE, QHeaderView.ResizeMode.Stretch)
        self.words = named(PlainLabel("", "text", wrap=True), "fieldWords")
        self.words.setMinimumHeight(current().height(40))
        self.choice = ChoiceField(tr("Name in the service"), (), name="fieldChoice")
        self.choice.box.opens_by_enter = True
        self.typed = FormField(tr("Or type it"), placeholder="category.id", name="fieldName")
        choices = in_row(None, (self.choice, 1), (self.typed, 1), spacing=12)
        below = in_column(None, self.words, choices, margins=(_MARGIN, 12, _MARGIN, 12), spacing=10)
        add(in_column(self), (self.view, 1), below)
        self.view.selectionModel().currentRowChanged.connect(self._show)
        self.view.openRequested.connect(self._to_choice)
        self.choice.box.activated.connect(self._choose)
        self.typed.changed.connect(self._typed)

    def begin(self) -> None:
        """The keyboard comes to the table."""
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self.model.index(0, FIELD))
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def refuses(self) -> bool:
        """Whether a place was typed that can be none: the keyboard comes there."""
        wrong = _is_wrong(self.typed.text())
        if wrong:
            self.typed.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        return wrong

    def _show(self) -> None:
        """Say where the field of the current row lies."""
        row = self.view.currentIndex().row()
        box, own, said = self.choice.box, self.model.own(row), self.model.said(row)
        box.clear()
        box.addItem(tr("Automatic ({name})", name=short(own)) if own else tr("Automatic"), "")
        for name in dict.fromkeys((*self.model.names(row), said)):
            if name:
                box.addItem(isolate(short(name)), name)
        self.choice.set_value(said)
        self.typed.set_text(said)
        self.typed.set_error("")
        field = tr(FIELD_TITLES[FIELDS[row][1].name])
        box.setAccessibleName(tr("Name in the service for “{what}”", what=field))
        self._explain()

    def _explain(self) -> None:
        row = self.view.currentIndex().row()
        resource, spec = FIELDS[row]
        place, values = self.model.place(row), {"list": resource_title(resource), "field": tr(FIELD_TITLES[spec.name])}
        _, icon, _ = self.model.how(row)
        if self.model.is_guess(row):
            is_key = spec == ALL_SPECS[resource][0]
            doubted = tr(
                "{list}: the program cannot tell which record a change would reach, because {name} can mean two things."
                " A profile settles it.",
                name=note_words(place),
                **values,
            )
            guess = tr(
                "{list}, {field}: read from {name}, which is a guess. To change it here, choose the name.",
                name=note_words(place),
                **values,
            )
            self.words.set_text(doubted if is_key else guess)
        elif place and icon != "warning":
            self.words.set_text(tr("{list}, {field}: read from {name}.", name=note_words(place), **values))
        else:
            self.words.set_text(tr("{list}, {field}: not found in the service’s records.", **values))

    def _to_choice(self, _index: QModelIndex) -> None:
        self.choice.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self) -> None:
        place = self.choice.value()
        self.typed.set_text(place)
        self._typed(place)

    def _typed(self, place: str) -> None:
        self.typed.set_error(tr("Write names with dots between them, such as category.id.") if _is_wrong(place) else "")
        if not _is_wrong(place):
            self.model.choose(self.view.currentIndex().row(), place)
            self.choice.choose(place)
            self._explain()


def _is_wrong(place: str) -> bool:
    """Whether it is no names with dots between them."""
    return bool(place) and not (all(place.split(".")) and place.isprintable() and len(place) <= _LONGEST)
