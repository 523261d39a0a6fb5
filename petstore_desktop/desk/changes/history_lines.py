"""What happened, as people see it: lines of the journal, and the history of one record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from msgspec import Struct

from petstore_desktop.desk.changes.change_lines import FieldChange, actions_of, sentence_of, steps_of, value_cell
from petstore_desktop.desk.changes.details import changes_over
from petstore_desktop.desk.model.overlay import MARK_OF
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import CellFacts, Mark, Sentence
from petstore_desktop.desk.values.text import fold, parse_filter
from petstore_desktop.domain.batches import BatchKind, BatchLine, ChangeFilter, Finds, HistoryEntry
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange
from petstore_desktop.sync.wire.events import ChangesCounted, ChangesExported, ChangesRead, HistoryRead

__all__ = ["ChangesCounted", "ChangesExported", "ChangesRead", "HistoryRead"]  # for the window, which knows no sync


class PastLine(Struct, frozen=True):
    """One change, or (`count` > 1) neighbouring changes of one batch.

    `id` is the newest change, `last` the oldest one; `at` when the person acted (UTC epoch seconds). Of several changes
    `steps` are those of the newest, `alike` says whether all do the same, and `states` how many stand where. `kind`:
    how its batch came to be; `actions` of "undo", "edit", "retry", "discard", "raw".
    """

    id: int
    last: int
    batch: str
    at: float
    ref: Ref
    title: str
    ref_id: str
    steps: tuple[FieldChange, ...]
    mark: Mark | None
    sentence: Sentence
    states: tuple[tuple[ChangeState, int], ...]
    alike: bool = True
    kind: BatchKind = BatchKind.EDIT
    actions: tuple[str, ...] = ()
    raw: str | None = None
    source: str = ""
    """What made the batch, as `Batch` has it."""

    @property
    def count(self) -> int:
        """How many changes it stands for."""
        return sum(count for _, count in self.states)


_OVER: Mapping[ChangeState, str] = {
    ChangeState.DONE: "past.sent",
    ChangeState.DISCARDED: "past.discarded",
}
_WORST = (
    ChangeState.REFUSED,
    ChangeState.CONFLICT,
    ChangeState.UNCERTAIN,
    ChangeState.SENDING,
    ChangeState.QUEUED,
    ChangeState.DONE,
    ChangeState.DISCARDED,
)


def past_line(shop: ShopModel, line: BatchLine, next_id: int | None) -> PastLine:
    """A line of the journal. `next_id`: the change that goes out next."""
    entry = line.first
    states = tuple(sorted(line.states, key=lambda pair: _WORST.index(pair[0]) if pair[0] in _WORST else 0))
    many = line.count > 1
    sentence = _many(states, line) if many else past_sentence(entry, next_id)
    return PastLine(
        entry.change.id,
        line.last,
        entry.change.batch,
        entry.change.at,
        shop.overlay.resolve(entry.ref),
        entry.title,
        id_text(entry.ref.key),
        steps_of(shop, entry.change),
        MARK_OF.get(states[0][0]),
        sentence,
        states,
        line.alike,
        entry.kind,
        _actions(entry.change, line),
        None if many else entry.change.raw,
        line.source,
    )


def past_sentence(entry: HistoryEntry, next_id: int | None) -> Sentence:
    """How a change stands, or how it ended."""
    change = entry.change
    code, said = _OVER.get(change.state), sentence_of(change, next_id)
    if code is None or (said.code == "change.found-alike" and not entry.undone):
        return said
    tried = f"-{entry.tried}" if entry.tried else ""
    return Sentence(f"{code}{tried}{'-undone' if entry.undone else ''}", {"at": change.moved_at})


def _many(states: tuple[tuple[ChangeState, int], ...], line: BatchLine) -> Sentence:
    return Sentence("past.many", {"states": states, "undone": line.undone, "tried": line.tried})


def _actions(change: Change, line: BatchLine) -> tuple[str, ...]:
    """What one can do; of several changes whatever one can do to any of them."""
    kinds = dict(line.states)
    if line.count == 1:
        done = change.state is ChangeState.DONE and not line.undone
        return ("undo",) if done else actions_of(change)
    undo = line.undone < line.count - kinds.get(ChangeState.DISCARDED, 0)
    retry = any(state in kinds for state in (ChangeState.REFUSED, ChangeState.CONFLICT, ChangeState.UNCERTAIN))
    discard = any(state.is_open and state is not ChangeState.SENDING for state in kinds)
    return tuple(name for name, can in (("undo", undo), ("retry", retry), ("discard", discard)) if can)


# ---- filter


def finds(text: str) -> Finds | None:
    """What tells whether a record is meant by a text; None for none."""
    wanted = parse_filter(text)
    return None if wanted.is_empty else lambda name: wanted.fits(fold(name))


def changes_filter(
    shop: ShopModel, text: str, states: frozenset[ChangeState], first: date | None, last: date | None
) -> ChangeFilter:
    """Changes of records that a text means, in some states (none: all), made on the local days from `first` to
    `last`."""
    since = None if first is None else _begin(first, shop)
    until = None if last is None else _begin(last + timedelta(days=1), shop)
    return ChangeFilter(finds(text), states, since, until)


def _begin(day: date, shop: ShopModel) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=shop.zone).timestamp()


# ---- one record


class HistoryLine(Struct, frozen=True):
    """One step of a record's past: by this program (`mark`, `sentence`), or, `other`, by another program, as an answer
    showed it. `at`: when the person acted, or when it was seen; `since`: when the old value was last seen; `source`:
    what made its batch, as `Batch` has it."""

    at: float
    step: FieldChange
    mark: Mark | None = None
    sentence: Sentence | None = None
    other: bool = False
    since: float = 0.0
    source: str = ""
    kind: BatchKind = BatchKind.EDIT
    """How its batch came to be."""


class History(Struct, frozen=True):
    """What happened to a record, the newest first."""

    ref: Ref
    lines: tuple[HistoryLine, ...]


def history_of(
    shop: ShopModel, ref: Ref, entries: tuple[HistoryEntry, ...], observed: tuple[SeenChange, ...]
) -> History:
    """Both kinds in the order of time; what waits or is just sent is left out, it is shown as a change."""
    shown = {change.id for change in changes_over(shop, ref)}
    own = [
        HistoryLine(
            entry.change.at,
            step,
            MARK_OF.get(entry.change.state),
            past_sentence(entry, None),
            source=entry.source,
            kind=entry.kind,
        )
        for entry in entries
        if not entry.change.state.is_open and entry.change.id not in shown
        for step in steps_of(shop, entry.change)
    ]
    others = [
        HistoryLine(seen.seen_by, _seen(shop, seen), other=True, since=seen.seen_after)
        for seen in observed
        if _tells(seen)
    ]
    return History(ref, tuple(sorted(own + others, key=lambda line: -line.at)))


def _tells(seen: SeenChange) -> bool:
    """A stock entry repeats its pet's status."""
    return seen.ref.resource is not Resource.INVENTORY or seen.field == "quantity"


def _seen(shop: ShopModel, seen: SeenChange) -> FieldChange:
    if seen.ref.resource is Resource.INVENTORY:
        return FieldChange("stock", _count(seen.before), _count(seen.after))
    return FieldChange(seen.field, value_cell(shop, seen.field, seen.before), value_cell(shop, seen.field, seen.after))


def _count(value: object) -> CellFacts:
    number = value if isinstance(value, int) else None
    return CellFacts(kind="number", number=number, text="" if number is None else str(number))
