"""A change that no request can be made of waits for a person, who can discard it; all others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.api import encoding
from petstore_desktop.api.client import Client
from petstore_desktop.domain.changes import Change, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Apply, Discard
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.send import next_step
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.wire.events import NotSaved, Trouble
from tests.support.slow_shop import SlowShop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

STRANGE = NewChange(Ref(Resource.ORDERS, LocalId("strange")), Create({"pet_id": 1001, "quantity": 3, "name": "Dory 2"}))
GOOD = NewChange(Ref(Resource.CATEGORIES, LocalId("good")), Create({"name": "Good"}))
BAD = NewChange(Ref(Resource.CATEGORIES, LocalId("bad")), Create({"name": "Bad"}))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[VirtualDesk]:
    loop = VirtualTime()
    shop = SlowShop(loop, tmp_path / "shop", service="full")
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    yield desk
    loop.close()


def now(desk: VirtualDesk, id_: int) -> Change:
    return desk.changes[id_]


def why(desk: VirtualDesk, id_: int) -> str:
    reason = now(desk, id_).reason
    return "" if reason is None else f"{reason.code} {reason.message}".strip()


def discard(desk: VirtualDesk, *ids: int) -> None:
    desk.submit(Discard(ids, "let go"))
    desk.wait_for(ids, ChangeState.DISCARDED)


def test_a_field_that_its_resource_does_not_have_is_not_saved(desk: VirtualDesk) -> None:
    desk.submit(Apply("both", (GOOD, STRANGE)))
    desk.wait(lambda: desk.of(NotSaved), "it is said")
    assert [(one.batch, one.error.code) for one in desk.of(NotSaved)] == [("both", "unknown-field")]
    assert "both" not in desk.batches


@pytest.mark.parametrize("begun", [False, True], ids=["queued", "as if it had left"])
def test_one_that_an_earlier_version_saved_is_set_aside_and_the_next_goes_out(desk: VirtualDesk, begun: bool) -> None:
    desk.kill()
    journal = Journal(next(desk.data.rglob("journal.db")))
    bad, good = (one.id for one in journal.append("both", [STRANGE, GOOD], desk.clock.now().wall))
    if begun:
        journal.begin_attempt((bad,), '{"op": "orders.create"}', {}, {"name": "Dory 2"}, desk.clock.now().wall)
    journal.close()
    desk.start()
    desk.wait_for((good,), ChangeState.DONE)
    desk.wait_for((bad,), ChangeState.REFUSED)
    assert why(desk, bad) == "unknown-field name"
    discard(desk, bad)


def test_what_cannot_be_written_as_a_request_is_refused_and_was_not_sent(
    desk: VirtualDesk, monkeypatch: pytest.MonkeyPatch, expected_log: Callable[[str], None]
) -> None:
    expected_log("no request can be made for categories.create")
    encode = encoding.encode

    def failing(operation: Any, fields: Any, known: Any) -> bytes:
        return encode(operation, {"nonsense": 1} if fields.get("name") == "Bad" else fields, known)

    monkeypatch.setattr(encoding, "encode", failing)
    bad, good = desk.apply(BAD, GOOD)
    desk.wait_for((good,), ChangeState.DONE)
    assert (now(desk, bad).state, why(desk, bad)) == (ChangeState.REFUSED, "unsendable KeyError")
    discard(desk, bad)


def test_an_unexpected_error_while_the_next_step_is_worked_out_concerns_its_record_alone(
    desk: VirtualDesk, monkeypatch: pytest.MonkeyPatch, expected_log: Callable[[str], None]
) -> None:
    expected_log("unexpected error with a change")
    coalesce = next_step.coalesce

    def failing(waiting: Any) -> Any:
        return 1 // 0 if waiting[0].ref == BAD.ref else coalesce(waiting)

    monkeypatch.setattr(next_step, "coalesce", failing)
    bad, good = desk.apply(BAD, GOOD)
    desk.wait_for((good,), ChangeState.DONE)
    assert (now(desk, bad).state, why(desk, bad)) == (ChangeState.REFUSED, "unexpected ZeroDivisionError")
    discard(desk, bad)


def test_an_unexpected_error_in_a_look_concerns_its_record_alone(
    desk: VirtualDesk, monkeypatch: pytest.MonkeyPatch, expected_log: Callable[[str], None]
) -> None:
    expected_log("unexpected error with a change")
    first, second = (pet for pet in list(desk.rows[Resource.PETS].values())[:2] if isinstance(pet, Pet))
    look = RecordReader.look

    async def failing(self: RecordReader, ref: Ref, *rest: Any, **named: Any) -> bool:
        return 1 // 0 if ref.key == first.id else await look(self, ref, *rest, **named)

    monkeypatch.setattr(RecordReader, "look", failing)
    desk.loop.run_for(60.0)
    bad, good = desk.apply(
        *(
            NewChange(Ref(Resource.PETS, pet.id), SetFields({"name": "Rex"}), {"name": pet.name})
            for pet in (first, second)
        )
    )
    desk.wait_for((good,), ChangeState.DONE)
    assert (now(desk, bad).state, why(desk, bad)) == (ChangeState.REFUSED, "unexpected ZeroDivisionError")
    discard(desk, bad)


def test_an_unexpected_error_in_an_answer_leaves_the_fate_of_its_change_to_a_look(
    desk: VirtualDesk, monkeypatch: pytest.MonkeyPatch, expected_log: Callable[[str], None]
) -> None:
    expected_log("unexpected error with a change")
    change = Client.change

    async def failing(self: Client, *rest: Any, **named: Any) -> Any:
        await change(self, *rest, **named)
        return 1 // 0

    monkeypatch.setattr(Client, "change", failing)
    pet = next(iter(desk.rows[Resource.PETS].values()))
    assert isinstance(pet, Pet)
    bad, good = desk.apply(NewChange(Ref(Resource.PETS, pet.id), SetFields({"name": "Rex"}), {"name": pet.name}), GOOD)
    desk.wait_for((bad, good), ChangeState.DONE)
    assert [event.error for event in desk.of(Trouble) if event.aside]
