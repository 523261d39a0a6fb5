"""What can happen around a program: people at work, answers of every kind, time, hands on the clock, kills, others.

Whatever is only about limits is a move of the gate's own machine (tests/api/gate_machine/moves.py).
"""

from __future__ import annotations

import contextvars
import json

from msgspec.structs import replace

from petstore_desktop.clock import unique
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import CancelLoad, CheckLive, Discard, Refresh, Retry, Watch
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource
from tests.api.gate_machine import moves as gate
from tests.api.gate_machine.moves import Row
from tests.api.gate_machine.service import Sent
from tests.api.gate_machine.words import Chance
from tests.sync import machine_undo as undo
from tests.sync.machine_judge import EXACT
from tests.sync.machine_service import Reply, pet_of_stock
from tests.sync.machine_world import Desk, Setting
from tests.sync.made import DEFAULT, FULL, without_etags

BARE = without_etags(FULL)
SETTINGS = [("full", FULL, True)] * 3 + [("full", BARE, True)] * 2 + [("default", DEFAULT, True)] * 2
SETTINGS += [("full", FULL, False)]
CROWD = 8
"""Changes that are open at once, more or less."""
GARBAGE = [b"", b"<html>Bad day</html>", b"\xff\xfe{", b'{"id": ', b"[[[", b"null", b'{"id": "x"}', b"[1, 2"]
SHOWN = [tuple(Resource), (Resource.PETS,), (Resource.INVENTORY,), (Resource.ORDERS, Resource.CATEGORIES)]
AGAIN = (ChangeState.REFUSED, ChangeState.CONFLICT, ChangeState.UNCERTAIN)
LASTING = 10
"""Pets of which nobody takes the rest away."""


def a_desk(chance: Chance) -> Desk:
    """A program, its service, and how that one words its limits."""
    return Desk(Setting(gate.a_world(chance), *chance.choice(SETTINGS)))


# ---------------------------------------------------------------- people


def _seen(desk: Desk, ref: Ref, *fields: str) -> Fields:
    record = desk.program.rows[ref.resource].get(ref.key)
    return {name: getattr(record, name) for name in fields} if record is not None else {}


def _stock(desk: Desk, chance: Chance, pets: slice) -> Ref:
    """One of the few stocks that people book to (the first), or of those that they count (the later), or both."""
    return Ref(Resource.INVENTORY, chance.choice(desk.books.pets[pets]))


def somebody_books(desk: Desk, chance: Chance) -> None:
    ref = _stock(desk, chance, slice(EXACT + 2))
    desk.apply(NewChange(ref, AddStock(chance.choice([1, 2, 4, 8, -1])), _seen(desk, ref, "quantity")))


def somebody_books_much_at_once(desk: Desk, chance: Chance) -> None:
    pets = desk.books.pets[: EXACT + 2]
    desk.apply(*(NewChange(Ref(Resource.INVENTORY, pet), AddStock(16)) for pet in pets))


def somebody_counts(desk: Desk, chance: Chance) -> None:
    ref = _stock(desk, chance, slice(EXACT + 1, EXACT + 4))
    desk.apply(NewChange(ref, SetStock(chance.choice([0, 5, 40])), _seen(desk, ref, "quantity")))


def somebody_renames(desk: Desk, chance: Chance) -> None:
    """Mostly with a name that the service takes."""
    ref = Ref(Resource.PETS, chance.choice(desk.books.pets[:3] + desk.books.pets[LASTING:]))
    name = chance.choice(["name"] * 7 + ["x" * 501])
    desk.apply(NewChange(ref, SetFields({"name": f"{name} {unique()}"}), _seen(desk, ref, "name")))


def somebody_creates(desk: Desk, chance: Chance) -> None:
    """A pet of a category that is there, or of one that is created together with it."""
    pet: dict[str, object] = {"name": f"pet {unique()}"}
    if chance.choice([True, False]):
        pet["category_id"] = chance.choice(desk.books.categories()[:3])
        desk.apply(NewChange(Ref(Resource.PETS, LocalId(unique())), Create(pet)))
        return
    category = LocalId(unique())
    desk.apply(
        NewChange(Ref(Resource.CATEGORIES, category), Create({"name": f"category {unique()}"})),
        NewChange(Ref(Resource.PETS, LocalId(unique())), Create({**pet, "category_id": category})),
    )


def somebody_changes_their_mind(desk: Desk, chance: Chance) -> None:
    """Two acts on one record, one right after the other: they leave together, if they can."""
    if desk.contract.offers(Resource.PETS, Verb.CHANGE) and chance.choice([True, False]):
        ref, field = Ref(Resource.PETS, chance.choice(desk.books.pets[:3])), "name"
        acts: list[Intent] = [SetFields({"name": f"name {unique()}"}) for _ in range(2)]
    else:
        ref, field = _stock(desk, chance, slice(EXACT + 4)), "quantity"
        counted = ref.key in desk.books.pets[EXACT + 1 :]
        acts = [chance.choice([AddStock(64), *([SetStock(7), SetStock(70)] if counted else [])]) for _ in range(2)]
    seen = _seen(desk, ref, field)
    desk.apply(*(NewChange(ref, act, seen) for act in acts))


def _coming(desk: Desk) -> list[Change]:
    """Pets that are to be created, each as its last open change."""
    local = {change.ref: change for change in desk.open_changes() if isinstance(change.ref.key, LocalId)}
    return [change for ref, change in local.items() if ref.resource is Resource.PETS]


def somebody_renames_what_is_not_there_yet(desk: Desk, chance: Chance) -> None:
    last = chance.choice(_coming(desk))
    base = {"name": last.intent.fields["name"]} if isinstance(last.intent, Create | SetFields) else {}
    desk.apply(NewChange(last.ref, SetFields({"name": f"edited {unique()}"}), base))


def somebody_books_what_is_not_there_yet(desk: Desk, chance: Chance) -> None:
    desk.apply(NewChange(replace(chance.choice(_coming(desk)).ref, resource=Resource.INVENTORY), AddStock(1)))


def somebody_deletes_what_is_not_there_yet(desk: Desk, chance: Chance) -> None:
    desk.apply(NewChange(chance.choice(_coming(desk)).ref, Delete()))


def somebody_cancels_an_order(desk: Desk, chance: Chance) -> None:
    desk.apply(NewChange(Ref(Resource.ORDERS, chance.choice(_orders(desk))), Delete()))


def _orders(desk: Desk) -> list[Key]:
    """Orders as this desk knows them, that nobody has cancelled here."""
    cancelled = {change.ref for change in desk.program.changes.values() if isinstance(change.intent, Delete)}
    return [key for key in desk.program.rows[Resource.ORDERS] if Ref(Resource.ORDERS, key) not in cancelled]


def somebody_refreshes(desk: Desk, chance: Chance) -> None:
    desk.submit(Refresh(chance.choice(SHOWN)))


def somebody_comes_or_goes(desk: Desk, chance: Chance) -> None:
    """Another tab is shown, or nobody is there to see it."""
    desk.submit(Watch(chance.choice(SHOWN), present=chance.choice([True, True, False])))


def somebody_stops_a_list(desk: Desk, chance: Chance) -> None:
    desk.submit(CancelLoad(chance.choice(list(Resource))))


def somebody_looks_closely(desk: Desk, chance: Chance) -> None:
    desk.submit(CheckLive(_stock(desk, chance, slice(EXACT + 2))))


def somebody_takes_it_back(desk: Desk, chance: Chance) -> None:
    """Most gladly what nobody knows the fate of."""
    unsure = [change.id for change in desk.open_changes() if change.state is ChangeState.UNCERTAIN]
    any_ = [change.id for change in desk.open_changes()]
    desk.submit(Discard((chance.choice(chance.choice([unsure or any_, any_])),)))


def somebody_says_again(desk: Desk, chance: Chance) -> None:
    change = chance.choice([change for change in desk.open_changes() if change.state in AGAIN])
    desk.again_by_person[change.id] += 1
    if change.reason is not None and change.reason.theirs:
        desk.accepted.setdefault(change.id, []).append(change.reason.theirs)
    desk.submit(Retry((change.id,)))


# ---------------------------------------------------------------- answers


def it_is_answered(desk: Desk, chance: Chance) -> None:
    """It is done, and the answer says so: whole, torn, or in no words that anybody understands."""
    sent = gate.the_next(desk, chance)
    if sent.over:
        gate.refuse(desk, sent, chance, 429, chance.choice([1, 30]))
        return
    reply = chance.choice(["whole"] * 12 + ["torn", "garbage"])
    body = chance.choice(GARBAGE) if reply == "garbage" else None
    _well(desk, sent, chance, Reply(None, body=body, torn=reply == "torn", done=True))


def it_is_forbidden(desk: Desk, chance: Chance) -> None:
    """This one operation; the key is good."""
    _well(desk, gate.the_next(desk, chance), chance, Reply(403, body=b'{"code": "forbidden", "message": "not yours"}'))


def _well(desk: Desk, sent: Sent, chance: Chance, reply: Reply) -> None:
    said = gate.windows_of(desk, sent, chance)
    desk.service.good(sent)
    if said.blind:
        desk.service.blind(sent, desk.true)
    reply.headers = said.headers
    desk.reply(sent, reply)


def the_service_fails(desk: Desk, chance: Chance) -> None:
    """A 5xx that says nothing of when to come back. It may be said of what was done."""
    sent = gate.the_next(desk, chance)
    said = gate.windows_of(desk, sent, chance)
    desk.service.no_verdict(sent, desk.true)
    if said.blind:
        desk.service.blind(sent, desk.true)
    status = chance.choice([500, 502, 503, 504])
    done = chance.choice([True, False])
    desk.reply(sent, Reply(status, said.headers, chance.choice(GARBAGE), done=done))


def the_line_breaks(desk: Desk, chance: Chance) -> None:
    sent = gate.the_next(desk, chance)
    desk.service.silent(sent)
    desk.service.no_verdict(sent, desk.true)
    how = chance.choice(["done", "done", "not done", "late", "late"])
    desk.reply(sent, Reply(None, lost=True, done=how == "done", late=how == "late"))


def a_colleague_takes_back_what_was_not_answered(desk: Desk, chance: Chance) -> None:
    """No answer to a booking comes, whether it was done or not; before the program looks what became of it, somebody
    else books the opposite, or, of one that was done, the same once more. Perhaps the program is killed in between. For
    a look without versions a minute goes by: right after the booking it would be believed."""
    number, pet = chance.choice(_bookings_out(desk))
    request, before = desk.pending(number).request, desk.books.stock(pet)
    arrived, killed = chance.choice([True, True, False]), not desk.guarded or chance.choice([True, False])
    sent = desk.service.out.pop(number)
    desk.service.silent(sent)
    desk.service.no_verdict(sent, desk.true)
    desk.reply(sent, Reply(None, lost=True, done=arrived))
    done = desk.books.stock(pet) - before
    if killed:
        desk.program.kill()
        desk.sleep(60.0)
    amount = done or json.loads(request.content)["quantity"] - before
    desk.books.somebody_else_books(pet, chance.choice([-amount, -amount, amount]) if done else -amount)
    desk.seen["taken back by a colleague"] += 1
    if killed:
        desk.start()


def _bookings_out(desk: Desk) -> list[tuple[int, int]]:
    """The bookings that wait for an answer, each with its pet, of stocks that nobody counts, and that nobody else moves
    where no ETag guards them."""
    pets = desk.books.pets[: EXACT + desk.guarded]
    asked = ((number, desk.pending(number).request) for number in sorted(desk.service.out))
    found = [(number, pet_of_stock(request.url.path)) for number, request in asked if request.method != "GET"]
    return [(number, pet) for number, pet in found if pet is not None and pet in pets]


def what_is_late_arrives(desk: Desk, chance: Chance) -> None:
    """At the service: a write of which nobody hears any more is done now."""
    desk.loop.create_task(desk.books.what_is_late_arrives(), context=contextvars.Context())
    desk.loop.settle()


def the_luck_turns(desk: Desk, chance: Chance) -> None:
    desk.luck = not desk.luck


def a_connection_stands(desk: Desk, chance: Chance) -> None:
    desk.connect(chance.choice(sorted(desk.service.admitted)), made=True)


def no_connection_is_made(desk: Desk, chance: Chance) -> None:
    desk.connect(chance.choice(sorted(desk.service.admitted)), made=False)


# ---------------------------------------------------------------- another desk


def another_desk_books(desk: Desk, chance: Chance) -> None:
    """Where nothing guards a write, nobody can promise a sum: some stocks are left alone then. So many pieces that no
    sum of ours is the same by chance: by what is there one tells what was done."""
    pets = desk.books.pets[: EXACT + 3] if desk.guarded else desk.books.pets[EXACT : EXACT + 4]
    desk.books.somebody_else_books(chance.choice(pets), 1_000)


def another_desk_renames(desk: Desk, chance: Chance) -> None:
    desk.books.somebody_else_renames(chance.choice(desk.books.pets[:3]), f"theirs {unique()}")


def another_desk_deletes(desk: Desk, chance: Chance) -> None:
    desk.books.somebody_else_removes(chance.choice(desk.books.pets[LASTING:]))


# ---------------------------------------------------------------- time


def time_passes(desk: Desk, chance: Chance) -> None:
    desk.pass_time(chance.choice([0.01, 0.01, 0.3, 0.3, 1.0, 1.0, 5.0, 5.0, 31.0, 61.0]))


def the_moment_comes(desk: Desk, chance: Chance) -> None:
    """The one until which the gate says that it waits, or just before it, or just after; slept away if it is far."""
    assert desk.program.until is not None
    left = desk.program.until - desk.program.clock.now().wall + chance.choice([0.0, 0.0, -0.01, 0.01, 2.0])
    if left > 120.0:
        desk.sleep(left - 60.0)
    desk.pass_time(max(0.0, min(left, 60.0)))


# ---------------------------------------------------------------- the table


def _always(desk: Desk) -> bool:
    return True


def _room(desk: Desk) -> bool:
    return len(desk.open_changes()) < CROWD


def _answer_due(desk: Desk) -> bool:
    return bool(desk.service.out)


def _connecting(desk: Desk) -> bool:
    return bool(desk.service.admitted)


def _waits(desk: Desk) -> bool:
    return desk.program.until is not None and not desk.service.out and not desk.service.admitted


TABLE = [
    Row(30, somebody_books, _room, ever=True),
    Row(4, somebody_books_much_at_once, lambda desk: not desk.open_changes()),
    Row(10, somebody_counts, _room),
    Row(8, somebody_changes_their_mind, _room),
    Row(20, somebody_renames, lambda desk: _room(desk) and desk.contract.offers(Resource.PETS, Verb.CHANGE)),
    Row(20, somebody_creates, _room),
    Row(6, somebody_renames_what_is_not_there_yet, lambda desk: _room(desk) and bool(_coming(desk))),
    Row(6, somebody_books_what_is_not_there_yet, lambda desk: _room(desk) and bool(_coming(desk))),
    Row(2, somebody_deletes_what_is_not_there_yet, lambda desk: _room(desk) and bool(_coming(desk))),
    Row(8, somebody_cancels_an_order, lambda desk: _room(desk) and bool(_orders(desk))),
    Row(10, somebody_refreshes, _always),
    Row(4, somebody_comes_or_goes, _always),
    Row(2, somebody_stops_a_list, _always),
    Row(5, somebody_looks_closely, _always),
    Row(4, somebody_takes_it_back, lambda desk: bool(desk.open_changes())),
    Row(8, undo.somebody_undoes, lambda desk: _room(desk) and bool(desk.program.batches)),
    Row(4, undo.somebody_undoes_one, lambda desk: _room(desk) and bool(desk.program.batches)),
    Row(3, undo.somebody_redoes, lambda desk: _room(desk) and bool(desk.undone)),
    Row(4, undo.somebody_steers_a_batch, lambda desk: bool(desk.open_changes())),
    Row(12, somebody_says_again, lambda desk: any(change.state in AGAIN for change in desk.open_changes())),
    Row(3, gate.a_person_ends_the_pause, lambda desk: desk.meets_a_pause()),
    Row(20, a_connection_stands, _connecting, ever=True),
    Row(12, gate.connections_become_slow_or_quick, _always),
    Row(300, it_is_answered, _answer_due, ever=True),
    Row(10, gate.too_fast, _answer_due),
    Row(6, gate.too_fast_in_words_nobody_understands, _answer_due),
    Row(1, gate.a_wait_of_many_digits, _answer_due),
    Row(4, gate.the_key_is_banned, _answer_due),
    Row(3, it_is_forbidden, lambda desk: _answer_due(desk) and not desk.service.limited),
    Row(8, the_service_fails, _answer_due),
    Row(14, the_line_breaks, _answer_due),
    Row(2, the_luck_turns, _always),
    Row(6, no_connection_is_made, _connecting),
    Row(2, gate.the_key_is_revoked, _answer_due),
    Row(40, gate.another_key_is_given, lambda desk: desk.service.revoked),
    Row(1, gate.another_key_is_given, _always),
    Row(3, gate.a_known_key_is_entered, _always),
    Row(5, gate.another_desk_sends, _always),
    Row(40, what_is_late_arrives, lambda desk: bool(desk.books.late)),
    Row(12, another_desk_books, _always),
    Row(6, another_desk_renames, _always),
    Row(1, another_desk_deletes, _always),
    Row(4, gate.remaining_rises, _always),
    Row(2, gate.the_service_begins_to_count_anew, _always),
    Row(4, gate.it_begins_to_count_anew_between_two_answers, lambda desk: len(desk.service.out) > 1),
    Row(1, gate.the_plan_changes, _always),
    Row(2, gate.a_proxy_drops_the_headers_or_stops_to, _always),
    Row(40, time_passes, _always, ever=True),
    Row(200, the_moment_comes, _waits, ever=True),
    Row(5, gate.the_laptop_sleeps, _always),
    Row(5, gate.a_hand_sets_the_clock, _always),
    Row(4, gate.the_program_is_killed, _always),
    Row(3, gate.the_program_dies_right_after_it_has_sent, _always),
    Row(2, gate.the_program_is_closed_and_opened, _always),
    Row(2, gate.the_machine_starts_anew, _always),
    Row(1, Desk.a_kind_hour, _always),
]
OPPOSITE = Row(400, a_colleague_takes_back_what_was_not_answered, lambda desk: bool(_bookings_out(desk)))
"""For a game of its own: most bookings end so."""
