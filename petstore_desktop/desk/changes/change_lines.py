"""Changes in the codes that sentences are made of: a chip, a before and after, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.columns.column import category_cell, number_cell, pet_cell, pill_cell, text_cell
from petstore_desktop.desk.columns.columns import date_cell, state_cell
from petstore_desktop.desk.model.overlay import MARK_OF
from petstore_desktop.desk.model.shop_model import ShopModel, stock_after
from petstore_desktop.desk.values.cells import CellFacts, Chip, Mark, Sentence, Stock
from petstore_desktop.domain.changes import (
    ANSWERED_WITHOUT,
    FOUND_ALIKE,
    ID_KNOWN,
    UNPROVEN,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    Reason,
    SetFields,
    SetStock,
    stands_in_the_way,
)
from petstore_desktop.domain.deletions import ID, by_name
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource

_CELLS: Mapping[str, Callable[[ShopModel, FieldValue], CellFacts]] = {
    "category_id": category_cell,
    "status": pill_cell,
    "pet_id": pet_cell,
    "quantity": number_cell,
    "ship_date": date_cell,
    "complete": state_cell,
}
"""Of fields that are not plain text."""


class FieldChange(Struct, frozen=True):
    """What a change did to one field. `field` is a field's name, or "stock", "create", "delete"."""

    field: str
    before: CellFacts
    after: CellFacts


class ChangeLine(FieldChange, frozen=True):
    """What an open change did to one field, and how far it has come. `actions` of "review", "edit", "retry", "discard",
    "raw"."""

    change: Change
    mark: Mark
    sentence: Sentence
    actions: tuple[str, ...]


def value_cell(shop: ShopModel, name: str, value: FieldValue) -> CellFacts:
    """The value of a field as a cell shows it."""
    return _CELLS.get(name, text_cell)(shop, shop.overlay.resolve_value(value))


Kind: TypeAlias = Literal["field", "stock", "create", "delete"]

_KINDS: Mapping[type[Intent], Kind] = {
    SetFields: "field",
    AddStock: "stock",
    SetStock: "stock",
    Create: "create",
    Delete: "delete",
}


def kind_of(change: Change) -> Kind:
    """What a change does to its record."""
    return _KINDS[type(change.intent)]


def field_of(change: Change) -> str:
    """What a change concerns in one word: its first field, or "stock", "create", "delete"."""
    return next(iter(change.intent.fields), "") if isinstance(change.intent, SetFields) else kind_of(change)


def chip_of(shop: ShopModel, change: Change) -> Chip:
    """A change in short; of several fields the first."""
    match change.intent:
        case AddStock(delta):
            return Chip("add", delta)
        case SetStock(quantity):
            return Chip("set", quantity)
        case SetFields(fields):
            name = next(iter(fields), "")
            return Chip("value", text=value_cell(shop, name, fields.get(name)).text)
        case Create():
            return Chip("create")
        case Delete():
            return Chip("delete")


def sentence_of(change: Change, next_id: int | None) -> Sentence:
    """How far a change has come, and why. `next_id`: the change that goes out next."""
    reason = change.reason
    match change.state:
        case ChangeState.QUEUED:
            return Sentence("change.unsent", {"at": change.at, "next": change.id == next_id})
        case ChangeState.SENDING:
            return Sentence("change.sending", {})
        case ChangeState.DONE | ChangeState.DISCARDED:
            alike = reason is not None and reason.code == FOUND_ALIKE
            return Sentence("change.found-alike" if alike else "change.sent", {"at": change.moved_at})
        case ChangeState.REFUSED:
            return Sentence("change.refused", refusal_facts(reason, change.base))
        case ChangeState.CONFLICT:
            return _of_conflict({} if reason is None else reason.theirs, change.base)
        case ChangeState.UNCERTAIN:
            return _of_unknown_fate(change)


def refusal_facts(reason: Reason | None, seen: Fields) -> Mapping[str, object]:
    """What is said of a refusal. `seen`: what the person saw."""
    why = reason or Reason("", "")
    said = {"message": why.message, "status": why.status, "code": why.code}
    return {**said, "theirs": tuple(by_name(why.theirs, seen).items())} if why.theirs else said


def _of_conflict(theirs: Fields, seen: Fields) -> Sentence:
    if ID in theirs:
        return Sentence("change.perhaps-theirs", {"id": theirs[ID]})
    return Sentence("change.conflict", {"theirs": tuple(by_name(theirs, seen).items())})


def _of_unknown_fate(change: Change) -> Sentence:
    if change.reason is not None and change.reason.code == ID_KNOWN:
        return Sentence("change.id-known", {"id": change.reason.message})
    if change.reason is not None and change.reason.code in UNPROVEN:
        booked = change.intent.delta if isinstance(change.intent, AddStock) else None
        denied = change.reason.status is not None and change.reason.status < 500  # with 500 it may not know either
        return Sentence("change.unproven", {"seen": change.reason.code, "booked": booked, "denied": denied})
    if change.needs_person:
        return Sentence("change.unsettled", {"at": change.moved_at})
    why = change.reason
    answered = why is not None and (why.code in ANSWERED_WITHOUT or why.status is not None)
    return Sentence("change.unshown" if answered else "change.uncertain", {"at": change.moved_at})


def standing_of(shop: ShopModel, change: Change, next_id: int | None) -> Sentence:
    """`sentence_of`; and an unsent change says so if it waits for an earlier one that only a person can bring
    further."""
    sentence = sentence_of(change, next_id)
    return Sentence("change.behind-another", sentence.params) if is_blocked(shop, change) else sentence


def is_blocked(shop: ShopModel, change: Change) -> bool:
    """Whether an unsent change goes nowhere before a person has decided about an earlier one: of its record, or the
    creation of another that it names."""
    if change.state is not ChangeState.QUEUED:
        return False
    earlier = shop.overlay.changes_of(change.ref)
    return any(stands_in_the_way(one, change) for one in earlier) or any(
        _is_stuck(shop, ref) for ref in _rests_on(change)
    )


def _rests_on(change: Change) -> list[Ref]:
    """Records without a number that must be there before this can be sent."""
    of = Resource.PETS if change.ref.resource is Resource.INVENTORY else change.ref.resource
    fields: Fields = change.intent.fields if isinstance(change.intent, Create | SetFields) else {}
    named = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}
    refs = [Ref(resource, key) for name, resource in named.items() if isinstance(key := fields.get(name), LocalId)]
    return [*refs, Ref(of, change.ref.key)] if isinstance(change.ref.key, LocalId) else refs


def _is_stuck(shop: ShopModel, ref: Ref) -> bool:
    return any(isinstance(one.intent, Create) and one.needs_person for one in shop.overlay.changes_of(ref))


def actions_of(change: Change) -> tuple[str, ...]:
    """What a person can do about a change."""
    raw = ("raw",) if change.raw else ()
    match change.state:
        case ChangeState.QUEUED:
            return ("discard",)
        case ChangeState.REFUSED:
            return ("edit", "retry", "discard", *raw)
        case ChangeState.CONFLICT | ChangeState.UNCERTAIN:
            return ("retry", "discard", *raw)
        case _:
            return ()


def lines_of(shop: ShopModel, change: Change, next_id: int | None) -> list[ChangeLine]:
    """A change field by field."""
    sentence, actions = standing_of(shop, change, next_id), actions_of(change)
    if change.state in (ChangeState.CONFLICT, ChangeState.UNCERTAIN):
        actions = ("review", *actions)
    mark = MARK_OF.get(change.state, "sent")
    return [
        ChangeLine(step.field, step.before, step.after, change, mark, sentence, actions)
        for step in steps_of(shop, change)
    ]


def steps_of(shop: ShopModel, change: Change) -> tuple[FieldChange, ...]:
    """A change field by field."""
    match change.intent:
        case SetFields(fields):
            return tuple(
                FieldChange(name, value_cell(shop, name, change.base.get(name)), value_cell(shop, name, value))
                for name, value in fields.items()
            )
        case AddStock() | SetStock():
            seen = change.base.get("quantity")
            base = seen if isinstance(seen, int) else None
            after = stock_after(base, change.intent)
            return (FieldChange("stock", _quantity(base), CellFacts(kind="stock", number=after.result, stock=after)),)
        case Create(fields):
            name = fields.get("name")
            title = CellFacts(text=name) if isinstance(name, str) else value_cell(shop, "pet_id", fields.get("pet_id"))
            return (FieldChange("create", CellFacts(), title),)
        case Delete():
            title = CellFacts(text=shop.title(shop.overlay.resolve(change.ref)))
            return (FieldChange("delete", title, CellFacts()),)


def _quantity(base: int | None) -> CellFacts:
    code = "no-stock-entry" if base is None else ""
    return CellFacts(kind="stock", number=base, stock=Stock(base, base), code=code)


def concern(shop: ShopModel, change: Change) -> dict[str, object]:
    """What a sentence about a change names: the record, the field, the chip."""
    ref = shop.overlay.resolve(change.ref)
    named = Ref(Resource.PETS, ref.key) if ref.resource is Resource.INVENTORY else ref
    title = shop.title(named)
    if not title and isinstance(change.intent, Create):
        name = change.intent.fields.get("name")
        title = name if isinstance(name, str) else ""
    number = "" if not isinstance(ref.key, int | str) else str(ref.key)
    return {
        "resource": ref.resource,
        "title": title,
        "ref_id": number,
        "field": field_of(change),
        "chip": chip_of(shop, change),
    }
