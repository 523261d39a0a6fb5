"""The stuck changes for a review: for each record the base value, mine and theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.desk.changes.change_lines import Kind, concern, kind_of, sentence_of, value_cell
from petstore_desktop.desk.changes.outbox_lines import STUCK
from petstore_desktop.desk.model.overlay import MARK_OF
from petstore_desktop.desk.model.shop_model import ShopModel, id_text, stock_after
from petstore_desktop.desk.values.cells import CellFacts, Mark, Sentence
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Fields,
    NewChange,
    SetFields,
    SetStock,
    combine_stock,
)
from petstore_desktop.domain.commands import Choice, Decided
from petstore_desktop.domain.deletions import EXTRA, ID, by_name, extra_text
from petstore_desktop.domain.records import FieldValue, Ref


class ReviewLine(Struct, frozen=True):
    """One field of a case. `name` is the field's, or "stock", "create", "delete"; a `theirs` of None is not known."""

    name: str
    base: CellFacts
    mine: CellFacts
    theirs: CellFacts | None


class Case(Struct, frozen=True):
    """What a person decides as one: the stuck changes of one record that came to stand in one way.

    `acted_at`, `seen_at`: when the person acted, and when it was seen that it does not go on (UTC epoch seconds).
    `theirs`: what the service was last seen to have in the fields concerned; `wanted`, `stock`: what the person wants.
    """

    change_ids: tuple[int, ...]
    ref: Ref
    title: str
    ref_id: str
    kind: Kind
    mark: Mark
    needs_person: bool
    acted_at: float
    seen_at: float
    sentence: Sentence
    raw: str | None
    lines: tuple[ReviewLine, ...]
    base: Fields = field(default_factory=dict[str, FieldValue])
    theirs: Fields = field(default_factory=dict[str, FieldValue])
    wanted: Fields = field(default_factory=dict[str, FieldValue])
    stock: AddStock | SetStock | None = None

    @property
    def editable(self) -> bool:
        """Whether another value can be entered instead."""
        return self.kind in ("field", "stock") and self.mark != "uncertain"


class OtherValue(Struct, frozen=True):
    """Another value than both."""

    value: FieldValue | AddStock | SetStock


class ValueSide(Enum):
    """One of the two values there are."""

    MINE = auto()
    THEIRS = auto()


Pick: TypeAlias = ValueSide | OtherValue
"""The choice for one line."""


def cases_of(shop: ShopModel, changes: Iterable[Change], next_id: int | None) -> tuple[Case, ...]:
    """Everything that is stuck among these changes, the oldest first; what settles by itself stands last."""
    groups: dict[tuple[Ref, ChangeState, Kind], list[Change]] = {}
    for change in changes:
        if change.state in STUCK:
            ref = shop.overlay.resolve(change.ref)
            groups.setdefault((ref, change.state, kind_of(change)), []).append(change)
    cases = [_case(shop, ref, kind, group, next_id) for (ref, _, kind), group in groups.items()]
    return tuple(sorted(cases, key=lambda case: (not case.needs_person, case.change_ids)))


def _case(shop: ShopModel, ref: Ref, kind: Kind, changes: list[Change], next_id: int | None) -> Case:
    last = max(changes, key=lambda change: (change.needs_person, change.moved_at))
    base: dict[str, FieldValue] = {}
    wanted: dict[str, FieldValue] = {}
    stock: AddStock | SetStock | None = None
    for change in changes:
        base = {**change.base, **base}
        if isinstance(change.intent, (SetFields, Create)):
            wanted.update(change.intent.fields)
        elif isinstance(change.intent, (AddStock, SetStock)):
            stock = combine_stock(stock, change.intent)
    case = Case(
        tuple(change.id for change in changes),
        ref,
        str(concern(shop, changes[0])["title"]),
        id_text(ref.key),
        kind,
        MARK_OF[last.state],
        any(change.needs_person for change in changes),
        changes[-1].at,
        last.moved_at,
        sentence_of(last, next_id),
        last.raw,
        (),
        base,
        _theirs(shop, ref, changes, ("quantity",) if kind == "stock" else tuple(wanted)),
        wanted,
        stock,
    )
    return replace(case, lines=_lines(shop, case))


def _theirs(shop: ShopModel, ref: Ref, changes: list[Change], names: tuple[str, ...]) -> Fields:
    """The service's value: from the conflict, or seen later."""
    said: dict[str, FieldValue] = {}
    for change in changes:
        if change.reason is not None:
            said.update(change.reason.theirs)
    store = shop.stores[ref.resource]
    seen_at = store.seen_at(ref.key)
    moved_at = max(change.moved_at for change in changes)
    known = changes[0].state is not ChangeState.UNCERTAIN
    if known and seen_at is not None and (not said or seen_at > moved_at):
        for name in dict.fromkeys((*said, *names)):
            if name != ID:
                value = store.value(ref.key, name) if name in store.names else None
                said[name] = shop.overlay.resolve_value(value)
        if EXTRA in said:
            record = store.record(ref.key)
            said[EXTRA] = extra_text({} if record is None else record.extra)
    return said


def _lines(shop: ShopModel, case: Case) -> tuple[ReviewLine, ...]:
    base, theirs, wanted = case.base, case.theirs, case.wanted
    if case.stock is not None:
        return (_stock_line(base, theirs, case.stock),)
    if case.kind == "create":
        name = wanted.get("name")
        made = CellFacts(text=name) if isinstance(name, str) else value_cell(shop, "pet_id", wanted.get("pet_id"))
        return (ReviewLine("create", CellFacts(code="none"), made, None),)
    if case.kind == "delete":
        base, theirs = by_name(base, {}), by_name(theirs, base)
        name = next((name for name in theirs if name != ID), "")
        before = CellFacts(text=shop.title(case.ref)) if not name else value_cell(shop, name, base.get(name))
        now = value_cell(shop, name, theirs[name]) if name else None
        return (ReviewLine("delete", before, CellFacts(code="delete"), now),)
    moved = [name for name, value in wanted.items() if name in theirs and theirs[name] != value]
    return tuple(
        ReviewLine(
            name,
            value_cell(shop, name, base.get(name)),
            value_cell(shop, name, wanted[name]),
            value_cell(shop, name, theirs[name]) if name in theirs else None,
        )
        for name in moved or wanted
    )


def _stock_line(base: Fields, theirs: Fields, stock: AddStock | SetStock) -> ReviewLine:
    seen, now = base.get("quantity"), theirs.get("quantity")
    before = seen if isinstance(seen, int) else None
    after = stock_after(before, stock)
    known = "quantity" in theirs and isinstance(now, int)
    return ReviewLine(
        "stock",
        _number(before),
        CellFacts(kind="stock", number=after.result, stock=after),
        _number(now) if known and isinstance(now, int) else None,
    )


def _number(value: int | None) -> CellFacts:
    return CellFacts(kind="number", number=value, code="" if value is not None else "none")


# ---- decisions


def decide(case: Case, picks: Mapping[str, Pick]) -> Decided | None:
    """The choices of all lines as one decision; None while one is missing."""
    chosen = {line.name: picks[line.name] for line in case.lines if line.name in picks}
    if len(chosen) < len(case.lines):
        return None
    if all(pick is ValueSide.MINE for pick in chosen.values()):
        return Decided(case.change_ids, Choice.MINE, case.theirs)
    if case.kind == "stock":
        return _decide_stock(case, chosen["stock"])
    if case.mark == "uncertain" and all(pick is ValueSide.THEIRS for pick in chosen.values()):
        return Decided(case.change_ids, Choice.DONE)
    if case.kind != "field":
        return Decided(case.change_ids, Choice.THEIRS)
    return _decide_fields(case, chosen)


def _decide_stock(case: Case, pick: Pick) -> Decided:
    if not isinstance(pick, OtherValue):
        return Decided(case.change_ids, Choice.DONE if case.mark == "uncertain" else Choice.THEIRS)
    intent = pick.value if isinstance(pick.value, AddStock | SetStock) else None
    if intent is None:
        raise ValueError(f"not a quantity: {pick.value!r}")
    return Decided(case.change_ids, Choice.THEIRS, {}, (NewChange(case.ref, intent, _seen(case, ("quantity",))),))


def _decide_fields(case: Case, chosen: Mapping[str, Pick]) -> Decided:
    """Discarding a value leaves the rest of the change: fields without conflict are not asked about."""
    fields: dict[str, FieldValue] = {}
    for name, mine in case.wanted.items():
        pick = chosen.get(name, ValueSide.MINE)
        other = pick.value if isinstance(pick, OtherValue) else mine
        value = mine if isinstance(other, AddStock | SetStock) else other
        there_already = name in case.theirs and case.theirs[name] == value
        if pick is not ValueSide.THEIRS and not there_already:
            fields[name] = value
    instead = (NewChange(case.ref, SetFields(fields), _seen(case, fields)),) if fields else ()
    return Decided(case.change_ids, Choice.THEIRS, {}, instead)


def _seen(case: Case, names: Iterable[str]) -> dict[str, FieldValue]:
    """What the new act rests on: what the service was seen to have, else what the old one rested on."""
    return {name: case.theirs.get(name, case.base.get(name)) for name in names}
