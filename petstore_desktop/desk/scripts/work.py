"""Carries out what a command asks for at a desk: compares, says what it costs, saves it as one batch, and follows that
until the service has answered.

The same for a command on its own and for one whose work is done by the running program: whoever has the desk calls
`step` whenever there is time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import PurePath
from time import perf_counter
from typing import TYPE_CHECKING, Final

from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.changes.change_lines import is_blocked
from petstore_desktop.desk.imports.import_judging import RowKind
from petstore_desktop.desk.imports.import_layout import Layout, fields_named, find_header, guess_fields, header_names
from petstore_desktop.desk.imports.import_matching import Problem
from petstore_desktop.desk.imports.import_values import COMMA_STYLE, STYLES
from petstore_desktop.desk.imports.importing import Import, guess_formats
from petstore_desktop.desk.model.capabilities import Action
from petstore_desktop.desk.preview import Preview
from petstore_desktop.desk.scripts.order import MOST_ERRORS, Booked, WorkOrder, WorkProgress, WrongRow, plain_value
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.batches import ChangeFilter, Price
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, NewChange, SetStock
from petstore_desktop.domain.commands import Apply, Command, PriceBatch, ReadChanges
from petstore_desktop.domain.errors import BadInput, ShopError
from petstore_desktop.domain.records import INT64_MAX, Ref, Resource, ServiceId, id_of_text
from petstore_desktop.sync.wire.events import BatchPriced, ChangesRead, Event, NotSaved

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.sheets import Sheet

_TURN_S: Final = 0.004
_SHOWN: Final = 5
"""How many pets are named that could be meant."""
_NEEDED: Final = {
    Resource.PETS: (Resource.PETS, Resource.CATEGORIES),
    Resource.CATEGORIES: (Resource.CATEGORIES,),
    Resource.ORDERS: (Resource.ORDERS, Resource.PETS),
    Resource.INVENTORY: (Resource.INVENTORY, Resource.PETS),
}
"""The lists without which a file cannot be compared."""
_MOVING: Final = (ChangeState.QUEUED, ChangeState.SENDING)


class Work:
    """One order at one desk. `submit` hands a command to the desk's session."""

    def __init__(self, order: WorkOrder, desk: Desk, submit: Callable[[Command], None]) -> None:
        self.order = order
        self.progress = WorkProgress(batch=order.batch)
        self.sheet: Sheet | None = None
        """The file's rows; given by who reads it, once `wants_file`."""
        self.wants_file = False
        self._desk, self._submit = desk, submit
        self._answers: dict[str, Event] = {}
        self._not_saved: ShopError | None = None
        self._earlier: deque[int] = deque()
        """The changes that waited before, from the first one on that may still."""
        self._overlaid: list[Ref] = []
        """The records of rows that are the same by changes that are shown."""
        desk.hearers.append(self._hear)
        self._steps = self._run()

    def step(self) -> bool:
        """Go on for some milliseconds at most; whether there is more to do at once."""
        if self.progress.over:
            return False
        until = perf_counter() + _TURN_S
        try:
            for more in self._steps:
                if not more or perf_counter() >= until:
                    return more
            self._end(None)
        except ShopError as error:
            self._end(error)
        return False

    def fail(self, error: ShopError) -> None:
        """It comes to nothing, or nothing more: the file cannot be read, or nothing can be sent."""
        if not self.progress.over:
            self._end(error)

    def look(self) -> None:
        """Bring up to date how it stands with what was saved."""
        if self.progress.state == "sending":
            self._look(self._moving())

    def leave(self) -> None:
        """The desk's session ends: what is over of the batch is over, and the rest stays saved."""
        progress = self.progress
        if progress.state != "sending":
            self.fail(BadInput("shop-closed", name=self.order.connection))
        elif not progress.over:
            left = Counter(one.state.value for one in self._desk.outbox.of_batches((self.progress.batch,)))
            progress.counts = {**left, "done": progress.total - left.total()}
            self._end(None)

    def _end(self, error: ShopError | None) -> None:
        self.progress.state, self.progress.error = "over", error
        if self._hear in self._desk.hearers:
            self._desk.hearers.remove(self._hear)

    def _hear(self, event: Event) -> None:
        match event:
            case BatchPriced(token=token) | ChangesRead(token=token):
                self._answers[token] = event
            case NotSaved(batch=batch, error=error) if batch == self.progress.batch:
                self._not_saved = error
            case _:
                pass

    # -- from start to end

    def _run(self) -> Iterator[bool]:
        """Each step says whether there is more to do at once."""
        while any(load.phase == "reading" for load in self._desk.loads.values()):
            yield False
        saved = bool((yield from self._in_journal("before")))  # by a program that ended before its work did
        if not saved:
            self._refuse_what_is_not_there()
        changes: tuple[NewChange, ...] = ()
        if self.order.file:
            changes = yield from self._import()
            saved = saved or (yield from self._was_booked(changes))
        elif not saved:
            changes = self._booking()
        changes = () if saved else changes
        self.progress.total = len(changes)
        yield from self._price(changes)
        if self.order.save:
            self._earlier = deque(one.id for one in self._desk.outbox.open if self._goes_on(one))
            self.progress.before = len(self._earlier)
            if changes:
                yield from self._save(changes)
            yield from self._follow()
        self.progress.open_rows = sum(map(self._is_open, self._overlaid))

    def _was_booked(self, changes: tuple[NewChange, ...]) -> Generator[bool, None, bool]:
        """Whether a file of this content was imported before, where it books in or out, or places orders: to do that
        again would do it twice. Such a file is taken whole or not at all, so that nothing of it is left out the second
        time."""
        order, progress = self.order, self.progress
        has_orders = order.resource is Resource.ORDERS and progress.made_before > 0
        if order.again or not order.content or not (has_orders or any(map(_is_done_each_time, changes))):
            return False
        progress.batch = order.content
        progress.repeated = sum((yield from self._in_journal("content")).values())
        if not progress.repeated and progress.rows["wrong"]:
            self._stop(BadInput("bookings-wrong", count=progress.rows["wrong"]))
        return progress.repeated > 0

    def _is_open(self, ref: Ref) -> bool:
        """Whether what is shown of a record stands on changes that the service has not taken; where it is only to be
        said what would be done, on such that it will not take by themselves."""
        refs = (ref, Ref(Resource.INVENTORY, ref.key)) if ref.resource is Resource.PETS else (ref,)
        changes = [one for each in refs for one in self._desk.overlay.changes_of(each)]
        return any(one.state.is_open if self.order.save else one.needs_person for one in changes)

    def _refuse_what_is_not_there(self) -> None:
        if self._desk.shop.read_only:
            self._stop(BadInput("connection-read-only", name=self.order.connection))
        for resource in _NEEDED[self.order.resource]:
            load = self._desk.load(resource)
            if load.as_of is None and load.phase != "not-offered" and resource not in self._desk.shop.unlisted:
                rows = self._desk.tables[resource].total
                code = "part-kept" if rows else "nothing-kept"
                raise BadInput(code, resource=resource.value, name=self.order.connection, count=rows)

    def _stop(self, error: BadInput) -> None:
        """Nothing may be saved, because of this. An order that only asks goes on, and says so."""
        if self.order.save:
            raise error
        self.progress.obstacle = error

    def _booking(self) -> tuple[NewChange, ...]:
        pet = pet_called(self._desk, self.order.pet)
        why = self._desk.allowed(Action.EDIT_STOCK, Ref(Resource.INVENTORY, pet))
        if not why.ok:
            raise BadInput(why.reason)
        made = self._desk.acts.stock(pet, self.order.amount)
        if isinstance(made, BadInput):
            raise made
        shop = self._desk.shop
        old = shop.going_stock(pet)
        new = _stock_after(made, old)
        self.progress.booked = Booked(pet, shop.name(Resource.PETS, pet) or "", old, new)
        return () if made is None else (made,)

    # -- a file

    def _import(self) -> Generator[bool, None, tuple[NewChange, ...]]:
        self.wants_file = True
        while self.sheet is None:
            yield False
        self.wants_file, sheet = False, self.sheet
        made = self._laid(sheet)
        made.make_again(self.order.again)
        self.progress.state = "comparing"
        for _ in made.compare():
            yield True
        preview = Preview(self._desk, made.inputs(), made.new(), at_once=False)
        for _ in preview.building:
            yield True
        tally = preview.new_tally()
        for _ in tally.counting:
            yield True
        self._count(made, preview)
        return preview.as_now(tally.changes)

    def _laid(self, sheet: Sheet) -> Import:
        """The file with its columns as fields. Raises BadInput where that is not certain: nobody is there to ask."""
        resource, order = self.order.resource, self.order
        if sheet.own not in (None, resource):
            raise BadInput("other-records", found=sheet.own, wanted=resource.value)
        header = find_header(sheet)
        names = header_names(sheet, header)
        guessed = guess_fields(sheet, header, resource, self._desk.shop)
        # By their names alone: what stands in a column makes no field of it where nobody looks.
        fields = tuple(
            one if one in fields_named(resource, name) else "" for one, name in zip(guessed, names, strict=True)
        )
        if not any(fields):
            raise BadInput("no-known-columns", wanted=resource.value)
        self.progress.unused = [name for name, one in zip(names, fields, strict=True) if name and not one]
        layout = Layout(resource, header, fields)
        # Whoever asks may be elsewhere than this program's window: the file alone says how it is written.
        made = Import(self._desk, sheet, layout, guess_formats(sheet, layout, None))
        numbers = {"point": STYLES[0], "comma": COMMA_STYLE}.get(order.numbers)
        if order.dates or numbers is not None:
            made.choose_formats(order.dates or None, numbers)
        if made.formats.unsure:
            raise BadInput(f"{min(made.formats.unsure)}-unsure")
        return made

    def _count(self, made: Import, preview: Preview) -> None:
        """The rows by what comes of them, and what is wrong with some."""
        counts = {kind.value: made.counts[kind] for kind in RowKind}
        first = islice(made.places(RowKind.WRONG), MOST_ERRORS)
        judged_wrong = ((place, one.problem) for place in first if (one := made.judged(place)) is not None)
        wrong = [_wrong_row(place, problem) for place, problem in judged_wrong if problem is not None]
        same = map(made.judged, made.places(RowKind.SAME))
        self._overlaid = [one.ref for one in same if one is not None and one.ref is not None]
        found = {row.ref: row for row in preview.rows if row.problem}
        for place in made.places(RowKind.CHANGED) if found else ():
            judged = made.judged(place)
            row = None if judged is None or judged.ref is None else found.get(judged.ref)
            if row is not None:
                counts["changed"] -= 1
                counts["wrong"] += 1
                wrong.append(WrongRow(place + 1, row.column, row.problem))
        self.progress.rows, self.progress.missing = counts, made.missing
        self.progress.made_before = 0 if made.again else made.made_before
        contract = self._desk.contract
        create = None if contract is None else contract.find(self.order.resource, Verb.CREATE)
        self.progress.demands = dict(create.fills) if create is not None and counts["new"] else {}
        self.progress.wrong = sorted(wrong, key=lambda one: one.row)[:MOST_ERRORS]

    # -- its price, and its end

    def _price(self, changes: tuple[NewChange, ...]) -> Iterator[bool]:
        if not changes:
            return
        self.progress.state = "pricing"
        token = f"script:{self.progress.batch}"
        self._submit(PriceBatch(token, changes))
        while token not in self._answers:
            yield False
        answer = self._answers.pop(token)
        price: Price | None = answer.price if isinstance(answer, BatchPriced) else None
        self.progress.requests = None if price is None else max(0, price.requests)
        self.progress.seconds = None if price is None else price.seconds

    def _save(self, changes: tuple[NewChange, ...]) -> Iterator[bool]:
        self.progress.state = "saving"
        source = f"script:{PurePath(self.order.file).name or 'stock'}"
        self._submit(Apply(self.progress.batch, changes, source))
        if not (yield from self._in_journal("after")):
            raise self._not_saved or BadInput("not-saved")

    def _in_journal(self, when: str) -> Generator[bool, None, dict[str, int]]:
        """The changes of the batch by their states, as they are in the journal."""
        token = f"script:{self.progress.batch}:{when}"
        # Below the largest id: what a list on the screen reads and counts from the newest on is left alone.
        self._submit(ReadChanges(token, ChangeFilter(batches=(self.progress.batch,)), before=INT64_MAX))
        while token not in self._answers:
            yield False
        answer = self._answers.pop(token)
        if not isinstance(answer, ChangesRead):
            return {}
        if answer.error is not None:
            raise answer.error
        counts: Counter[str] = Counter()
        for line in answer.lines:
            counts.update({state.value: count for state, count in line.states})
        return dict(counts)

    def _follow(self) -> Iterator[bool]:
        """Until nothing of the batch, nor of what was saved before it, goes on by itself."""
        progress = self.progress
        progress.state = "sending"
        while True:
            self.look()
            if not self._moving() and not progress.earlier:
                break
            yield False
        own = self._desk.outbox.of_batches((progress.batch,))
        progress.blocked = sum(is_blocked(self._desk.shop, one) for one in own)
        progress.counts = yield from self._in_journal("end")
        progress.total = sum(progress.counts.values())

    def _moving(self) -> bool:
        outbox = self._desk.outbox
        facts = outbox.batches.get(self.progress.batch)
        if facts is not None:
            self.progress.counts = {state.value: count for state, count in facts.counts.items()}
            self.progress.total = facts.total
            if any(facts.counts.get(state) for state in _MOVING) and not outbox.needs_person:
                return True
        own = outbox.of_batches((self.progress.batch,))
        return any(map(self._goes_on, own))

    def _goes_on(self, change: Change) -> bool:
        """Whether more comes of it by itself: it is sent, or it is looked after what became of it."""
        if change.state in _MOVING:
            return not is_blocked(self._desk.shop, change)
        return change.state is ChangeState.UNCERTAIN and not change.needs_person

    def _look(self, moving: bool) -> None:
        """How it stands with what waits."""
        progress, desk = self.progress, self._desk
        # From the front, and only up to the first that goes on: there may be thousands, and this is done often.
        while self._earlier and not any(map(self._goes_on, desk.outbox.those((self._earlier[0],)))):
            self._earlier.popleft()
        progress.earlier = len(self._earlier)
        facts = desk.outbox.batches.get(self.progress.batch)
        progress.paused = facts is not None and facts.batch.paused
        block = desk.send_block() if moving or progress.earlier else None
        progress.cause = "" if block is None else block.cause.value
        progress.until = None if block is None else block.until
        progress.since = None if block is None else block.since


def _wrong_row(place: int, problem: Problem) -> WrongRow:
    params = {name: plain_value(value) for name, value in problem.params.items()}
    return WrongRow(place + 1, problem.field, problem.code, params)


def _is_done_each_time(change: NewChange) -> bool:
    """Whether nothing shows that it was done already: a booking, and an order, which has nothing that names it."""
    makes = isinstance(change.intent, Create) and change.intent.old_id is None
    return isinstance(change.intent, AddStock) or (makes and change.ref.resource is Resource.ORDERS)


def _stock_after(made: NewChange | None, old: int | None) -> int | None:
    match None if made is None else made.intent:
        case AddStock(delta):
            return (old or 0) + delta
        case SetStock(quantity):
            return quantity
        case _:
            return old


def pet_called(desk: Desk, text: str) -> ServiceId:
    """The one pet of this id (`1126`, `#1126`) or of this name, or the only one whose name differs in case or spelling
    alone. Raises BadInput: `pet-unknown`, and with those that could be meant `pet-alike` and `pets-several`."""
    shop, wanted = desk.shop, text.strip()
    number = id_of_text(wanted.removeprefix("#"))
    known = shop.stores[Resource.PETS], shop.stores[Resource.INVENTORY]
    by_id = number if number is not None and any(number in store for store in known) else None
    named = [key for key in shop.keys_by_name(Resource.PETS).get(fold(wanted), ()) if isinstance(key, ServiceId)]
    exact = [key for key in named if shop.name(Resource.PETS, key) == wanted]
    if by_id is not None and wanted.startswith("#"):
        return by_id
    exact = exact or (named if len(named) == 1 and by_id is None else [])
    found = [*([] if by_id is None else [by_id]), *(key for key in exact if key != by_id)]
    if len(found) == 1:
        return found[0]
    meant = found or named
    could = "; ".join(f"{shop.name(Resource.PETS, key) or ''} (#{key})".strip() for key in meant[:_SHOWN])
    if not found:
        raise BadInput("pet-alike" if meant else "pet-unknown", pet=text, could=could)
    raise BadInput("pets-several", pet=text, could=could, count=len(found))
