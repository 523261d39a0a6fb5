"""How changes are undone: unsent ones are discarded, sent ones get an opposite change. Pure.

What went out together in one request is taken back by playing it again without the changes in question, from what the
service had before: exactly what they changed is restored, and nothing that others of the request did. The opposite
rests on what we had set, so that a record that moved since becomes a conflict, never a blind overwrite
(packaging/ARCHITECTURE.md, "The journal and the mirror").
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import (
    FOUND_ALIKE,
    OLD_ID,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.deletions import ID, shown_fields
from petstore_desktop.domain.records import (
    FIELDS,
    INT64_MAX,
    INT64_MIN,
    FieldValue,
    LocalId,
    Record,
    Ref,
    Resource,
    ServiceId,
    resource_of,
)
from petstore_desktop.store.journal.batches import PastChange
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.send.coalesce import stock_after

ORDER_CANCELLED, NO_DELETE, NO_CREATE, NO_CHANGE, NO_IMAGE, NOT_SENT = (
    "undo-order-cancelled", "undo-no-delete", "undo-no-create", "undo-no-change", "undo-no-image", "undo-not-sent",
)  # fmt: skip
"""Why a change cannot be undone: a cancelled order stays cancelled; the service has no operation for it; the old record
is not known completely; it was not sent from here."""
NOT_BOUND = "undo-not-bound"
"""Why it cannot be undone now: with the operations that a person chose by hand, none does it."""

Offers = Callable[[Resource, Verb], bool]

_UNSENT = (ChangeState.QUEUED, ChangeState.REFUSED, ChangeState.CONFLICT)
_ON_THE_WAY = (ChangeState.SENDING, ChangeState.UNCERTAIN)


class UndoPlan(Struct):
    """How changes are taken back.

    `discard`, `waits`: ids of those that are unsent, and of those that are on their way and follow when they are
    answered; `send`: what goes out, each with the changes that it takes back; `anew`: what `send` makes again, by the
    old ref; `impossible`: what cannot be taken back, and the code of the reason.
    """

    discard: list[int] = field(default_factory=list[int])
    stuck: int = 0
    """How many of those that are discarded only a person could bring further."""
    waits: list[int] = field(default_factory=list[int])
    send: list[tuple[NewChange, tuple[int, ...]]] = field(default_factory=list[tuple[NewChange, tuple[int, ...]]])
    anew: dict[Ref, LocalId] = field(default_factory=dict[Ref, LocalId])
    impossible: list[tuple[Change, str]] = field(default_factory=list[tuple[Change, str]])


def why_not(resource: Resource, kind: str, whole: bool, offers: Offers, *, of_undo: bool = False) -> str | None:
    """The reason code why a sent change of this kind (as `store/journal/values_json` writes it) can never be undone,
    None if it can; `whole`: the values before are known. `of_undo`: an undo made it, which is redone: the order that it
    deleted is one that was new, and is placed again."""
    if kind == "delete" and resource is Resource.ORDERS and not of_undo:
        return ORDER_CANCELLED
    if kind == "delete":
        return (None if whole else NO_IMAGE) if offers(resource, Verb.CREATE) else NO_CREATE
    if kind == "create":
        return None if offers(resource, Verb.DELETE) else NO_DELETE
    return None if offers(resource, Verb.CHANGE) else NO_CHANGE


def for_now(impossible: Sequence[tuple[Change, str]]) -> list[tuple[Change, str]] | None:
    """The same, as far as another choice of operations might undo all of it; None if some of it never can be."""
    lacks_operation = all(code in (NO_CHANGE, NO_CREATE, NO_DELETE) for _, code in impossible)
    return [(change, NOT_BOUND) for change, _ in impossible] if lacks_operation else None


def plan_undo(
    pasts: Sequence[PastChange],
    taken: frozenset[int],
    offers: Offers,
    local_ids: Mapping[LocalId, ServiceId],
    earlier: Mapping[int, Sequence[Change]] = MappingProxyType({}),
    cancelled: Collection[int] = (),
    *,
    of_undo: bool = False,
) -> UndoPlan:
    """How to undo these changes. `pasts`: oldest first; `taken`: which of the changes sent together with them were
    undone before; `earlier`: by deletion, the changes of its record after its image was stored; `cancelled`: those of
    orders that were cancelled after them; `of_undo`: an undo made them, which is redone."""
    plan = UndoPlan()
    groups: dict[int, list[PastChange]] = {}
    for past in pasts:
        state = past.change.state
        if state in _UNSENT:
            plan.discard.append(past.change.id)
            plan.stuck += past.change.needs_person
        elif state in _ON_THE_WAY:
            plan.waits.append(past.change.id)
        elif state is ChangeState.DONE:
            code = ORDER_CANCELLED if past.change.id in cancelled else _why_not(past, offers, of_undo)
            if code is not None:
                plan.impossible.append((past.change, code))
            elif past.sent is not None:
                groups.setdefault(past.sent.id, []).append(past)
    undoing = _Undoing(plan, pasts, taken, local_ids, earlier)
    for _, group in sorted(groups.items(), reverse=True):
        undoing.take_back(group)
    return plan


def _why_not(past: PastChange, offers: Offers, of_undo: bool) -> str | None:
    if past.sent is None:
        return NOT_SENT
    known = past.before is not None or past.made is not None
    return why_not(past.change.ref.resource, intent_name(past.change), known, offers, of_undo=of_undo)


class _Undoing:
    """One undo: the attempts, from the latest to the first."""

    def __init__(
        self,
        plan: UndoPlan,
        pasts: Sequence[PastChange],
        taken: frozenset[int],
        local_ids: Mapping[LocalId, ServiceId],
        earlier: Mapping[int, Sequence[Change]],
    ) -> None:
        self._plan, self._taken, self._local_ids, self._earlier = plan, taken, local_ids, earlier
        cannot = {change.id for change, _ in plan.impossible}
        self._pasts = [past for past in pasts if past.change.state is ChangeState.DONE and past.change.id not in cannot]
        self._wanted = {past.change.id for past in self._pasts}
        self._gone = {self._real(past) for past in self._pasts if isinstance(past.change.intent, Create)}
        """What this undo deletes: nothing else need be restored of it."""
        self._rests_on: dict[tuple[Ref, str], FieldValue] = {}
        """What the next later attempt that is taken back too had found: what this one set, unless somebody came
        between."""
        self._covered: set[tuple[Ref, str]] = set()
        """What a later attempt set for others too: what earlier ones did to it does not show any more."""

    def take_back(self, group: Sequence[PastChange]) -> None:
        """One attempt; `group`: those of its changes that are taken back."""
        head = group[0]
        if head.sent is None:
            return
        ref = self._real(head)
        kinds = {type(past.change.intent) for past in group}
        if Delete in kinds:
            self._make_again(head, ref)
        elif Create in kinds:
            self._delete(ref)
        elif self._goes(ref):
            return
        elif SetFields in kinds:
            self._restore_fields(head, ref, head.sent, group)
        else:
            self._restore_stock(ref, head.sent, group)

    def _goes(self, ref: Ref) -> bool:
        """Whether it is deleted by this undo; with a pet goes its stock."""
        pet = Ref(Resource.PETS, ref.key) if ref.resource is Resource.INVENTORY else ref
        return pet in self._gone

    def _send(self, new: NewChange, group: Sequence[PastChange]) -> None:
        self._plan.send.append((new, tuple(past.change.id for past in group)))

    def _real(self, past: PastChange) -> Ref:
        ref = past.change.ref
        key = ref.key
        if isinstance(key, LocalId):
            known = past.change.result_key if past.change.result_key is not None else self._local_ids.get(key)
            return ref if known is None else replace(ref, key=known)
        return ref

    # -- records that came or went

    def _make_again(self, past: PastChange, ref: Ref) -> None:
        was = past.made or past.before
        if was is None or (past.change.reason is not None and past.change.reason.status is not None):
            return  # it was gone already: not our doing
        local = LocalId.new()
        self._plan.anew[ref] = local
        image = replay(image_fields(was), self._earlier.get(past.change.id, ()) if past.made is None else ())
        extra = dict(was.extra) if not isinstance(ref.key, ServiceId) else {**was.extra, OLD_ID: ref.key}
        self._send(NewChange(Ref(ref.resource, local), Create(self._named_anew(self._resolved(image)), extra)), (past,))

    def _delete(self, ref: Ref) -> None:
        """The opposite of a creation rests on the record as first shown, and on our changes since. A record that may be
        a colleague's rests on an id that does not exist: the comparison asks a person."""
        own = [past for past in self._pasts if self._real(past) == ref]
        made = next((past for past in own if past.made is not None and isinstance(past.change.intent, Create)), None)
        shown = {} if made is None or made.made is None else shown_fields(made.made)
        since = [past.change for past in own if made is None or past.sent != made.sent]
        with_it = [past for past in self._pasts if self._real(past).key == ref.key and self._goes(self._real(past))]
        base = replay(shown, since)
        if any(_is_only_alike(past.change) for past in own):
            base[ID] = None
        self._send(NewChange(ref, Delete(), self._resolved(base)), with_it)

    # -- fields

    def _restore_fields(self, head: PastChange, ref: Ref, attempt: Attempt, group: Sequence[PastChange]) -> None:
        before = self._before(head, attempt)
        present = self._resolved(replay(before, _without(head.together, self._taken)))
        stays = _without(head.together, self._taken | self._wanted)
        expected = self._resolved(replay(before, stays))
        moved: dict[str, FieldValue] = {}
        for name in sorted(replay({}, [past.change for past in group])):
            if name not in expected:  # the service chose a value of its own, and nobody saw it
                self._plan.impossible.append((head.change, NO_IMAGE))
            elif not self._shows(ref, name, present.get(name)):
                self._covered.add((ref, name))  # somebody came between: what is still earlier does not show either
            elif expected[name] != present.get(name):
                moved[name] = expected[name]
            self._rests_on[ref, name] = self._resolved(before).get(name)
        self._covered.update((ref, name) for name in replay({}, stays))
        if moved:
            local = self._plan.anew.get(ref)  # where it is made again by this very undo
            base = {name: present.get(name) for name in moved} if local is None else {}
            target = ref if local is None else Ref(ref.resource, local)
            self._send(NewChange(target, SetFields(self._named_anew(moved)), base), group)

    def _before(self, head: PastChange, attempt: Attempt) -> Fields:
        """What the service had before the attempt, as far as known. Where it was made then: nothing."""
        if head.together and isinstance(head.together[0].intent, Create):
            return {}
        image = {} if head.before is None else {n: getattr(head.before, n) for n in FIELDS[head.change.ref.resource]}
        return {**image, **head.together[0].base, **attempt.base} if head.together else {**image, **attempt.base}

    def _resolved(self, fields: Fields) -> dict[str, FieldValue]:
        """With the service's ids in place of local ones, where there are any."""
        return {n: self._local_ids.get(v, v) if isinstance(v, LocalId) else v for n, v in fields.items()}

    def _named_anew(self, fields: Fields) -> dict[str, FieldValue]:
        """A record that is made again has another id: what named it follows."""
        anew = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}
        named = dict(fields)
        for name, resource in anew.items():
            value = named.get(name)
            if isinstance(value, ServiceId) and Ref(resource, value) in self._plan.anew:
                named[name] = self._plan.anew[Ref(resource, value)]
        return named

    def _shows(self, ref: Ref, name: str, value: FieldValue) -> bool:
        """Whether what an attempt set was still there when the next later one that is taken back was sent."""
        return (ref, name) not in self._covered and self._rests_on.get((ref, name), value) == value

    # -- stock

    def _restore_stock(self, ref: Ref, attempt: Attempt, group: Sequence[PastChange]) -> None:
        present = _without(group[0].together, self._taken)
        stays = _without(group[0].together, self._taken | self._wanted)
        counts = [change for change in present if isinstance(change.intent, SetStock)]
        found = attempt.base.get("quantity")
        start = found if isinstance(found, int) else 0
        now, then = stock_after(start, present), stock_after(start, stays)
        field, later = (ref, "quantity"), (ref, "quantity") in self._rests_on
        counted = bool(counts) and counts[-1].id in self._wanted
        if now != then and INT64_MIN <= then - now <= INT64_MAX and field not in self._covered:
            if not counted or (later and self._rests_on[field] == now):
                self._send(NewChange(ref, AddStock(then - now)), group)
            elif not later:
                self._send(NewChange(ref, SetStock(then), {"quantity": now}), group)
        if counts:
            self._rests_on[field] = start
        if any(isinstance(change.intent, SetStock) for change in stays):
            self._covered.add(field)


def _is_only_alike(change: Change) -> bool:
    return change.reason is not None and change.reason.code == FOUND_ALIKE


def intent_name(change: Change) -> str:
    """The name of its intent, as `store/journal/values_json` writes it."""
    match change.intent:
        case Create():
            return "create"
        case Delete():
            return "delete"
        case SetFields():
            return "set"
        case AddStock():
            return "add-stock"
        case SetStock():
            return "set-stock"


def _without(changes: Iterable[Change], ids: Iterable[int]) -> list[Change]:
    left_out = set(ids)
    return [change for change in changes if change.id not in left_out]


def replay(start: Fields, changes: Iterable[Change]) -> dict[str, FieldValue]:
    """The fields after these changes."""
    now = dict(start)
    for change in changes:
        if isinstance(change.intent, Create | SetFields):
            now.update(change.intent.fields)
    return now


def image_fields(record: Record) -> dict[str, FieldValue]:
    """The fields of a record that a change can name and that are there."""
    values = {name: getattr(record, name) for name in FIELDS[resource_of(record)]}
    return {name: value for name, value in values.items() if value is not None}
