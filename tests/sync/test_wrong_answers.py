"""Services that do something else than is sent, and say so in their answers; and services that write values in their
own way without showing them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from petstore_desktop.desk.changes.change_lines import sentence_of
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import Discard, Refresh, Retry, Revert
from petstore_desktop.domain.records import InventoryItem, LocalId, Pet, Ref, Resource
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.send.writer import FAILED_IN_A_ROW
from petstore_desktop.sync.wire.events import Trouble
from petstore_desktop.ui.text.changes.change import change_sentence
from tests.support.book_shop import Line
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

KEY = "key-of-a-small-service"
NUMBER, TEXT = {"type": "integer", "format": "int64"}, {"type": "string"}


class Small:
    """A service with pets and stock. `told`: what its document says of the answer to a change; `etags`: whether it
    guards pets. Tests replace what it does to them."""

    latency_s = 0.04
    url, key = "http://127.0.0.1:9/v1", KEY

    def __init__(self, *, etags: bool = False, silent: bool = False, forced: str | None = None) -> None:
        self.etags, self.silent, self.forced = etags, silent, forced
        self.pets: dict[int, dict[str, Any]] = {
            id_: {"id": id_, "name": f"Pet {id_}", "categoryId": 1, "status": "available"} for id_ in (7, 102, 103)
        }
        self.stock = [{"id": 101, "petId": 102, "quantity": 10}, {"id": 102, "petId": 7, "quantity": 40}]
        self.stock.append({"id": 103, "petId": 103, "quantity": 3})
        self.versions = dict.fromkeys(self.pets, 1)
        self.written: list[str] = []
        self.empties = False

    def line(self) -> Line:
        return Line(self)

    @property
    def document(self) -> dict[str, Any]:
        pet = {"type": "object", "properties": {"id": NUMBER | {"readOnly": True}, "name": TEXT}}
        pet["properties"] |= {"categoryId": NUMBER, "status": TEXT}
        entry = {"type": "object", "properties": {"id": NUMBER, "petId": NUMBER, "quantity": NUMBER}}

        def answers(schema: object, status: str = "200") -> dict[str, Any]:
            return {status: {"description": "", "content": {"application/json": {"schema": schema}}}}

        def item(schema: object, name: str) -> dict[str, Any]:
            where = [{"name": name, "in": "path", "required": True, "schema": NUMBER}]
            tag = [{"name": "If-Match", "in": "header", "schema": TEXT}] if self.etags else []
            said = {"204": {"description": "done"}} if self.silent else answers(schema)
            body = {"content": {"application/json": {"schema": schema}}}
            return {"parameters": where, "patch": {"parameters": tag, "requestBody": body, "responses": said}}

        lists = {"get": {"responses": answers({"type": "array", "items": pet})}}
        body = {"content": {"application/json": {"schema": pet}}}
        stock = {"get": {"responses": answers({"type": "array", "items": entry})}}
        return {
            "openapi": "3.0.3",
            "info": {"title": "Small", "version": "1"},
            "paths": {
                "/pets": {**lists, "post": {"requestBody": body, "responses": answers(pet, "201")}},
                "/pets/{petId}": {**item(pet, "petId"), "get": {"responses": answers(pet)}},
                "/stock": stock,
                "/stock/{petId}": item(entry, "petId"),
            },
        }

    def answer(self, request: httpx.Request) -> httpx.Response:
        place = request.url.path.removeprefix("/v1")
        number = int(place.rpartition("/")[2]) if place.rpartition("/")[2].isdigit() else 0
        if request.method != "GET":
            self.written.append(f"{request.method} {place}")
        body: dict[str, Any] = json.loads(request.content) if request.content else {}
        match request.method, place.split("/")[1]:
            case "GET", "openapi.json":
                return httpx.Response(200, json=self.document)
            case "GET", "pets" if number in self.pets:
                return self._pet(number)
            case "GET", "pets" if not number:
                return httpx.Response(200, json=[*self.pets.values()])
            case "GET", "stock":
                return httpx.Response(200, json=self.stock)
            case "PATCH", "stock":
                entry = next(one for one in self.stock if one["id"] == number)  # it takes the id of the entry
                entry["quantity"] = body["quantity"]
                return httpx.Response(200, json=entry)
            case "PATCH", "pets":
                return self._changed(request, number, body)
            case "POST", "pets":
                return self._made(body)
            case _:
                return httpx.Response(404)

    def _pet(self, number: int, status: int = 200) -> httpx.Response:
        tag = {"ETag": f'"{self.versions[number]}"'} if self.etags else {}
        if self.silent and status == 204:
            return httpx.Response(204, headers=tag)
        return httpx.Response(status if status != 204 else 200, json=self.pets[number], headers=tag)

    def _changed(self, request: httpx.Request, number: int, body: dict[str, Any]) -> httpx.Response:
        if self.etags and request.headers.get("if-match") not in (None, f'"{self.versions[number]}"'):
            return httpx.Response(412)
        self.put(number, **body)
        if self.empties:
            self.pets[number]["categoryId"] = None
        return self._pet(number, 204)

    def _made(self, body: dict[str, Any]) -> httpx.Response:
        number = max(self.pets) + 1
        self.pets[number], self.versions[number] = {"categoryId": None, **body, "id": number}, 1
        if self.forced is not None:
            self.pets[number]["status"] = self.forced
        return self._pet(number, 201)

    def put(self, number: int, **fields: Any) -> None:
        """Somebody changes a pet. Names are trimmed, and have twelve letters at most."""
        self.pets[number] |= fields
        self.pets[number]["name"] = self.pets[number]["name"].strip()[:12]
        self.versions[number] += 1


def a_desk(loop: VirtualTime, service: Small, folder: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, service, folder / "desk")
    desk.wait_idle()
    return desk


def stands(desk: VirtualDesk, id_: int) -> Change:
    """The change once it is done or waits for a person."""
    desk.wait(lambda: not desk.changes[id_].state.is_open or desk.changes[id_].needs_person, "it is settled")
    return desk.changes[id_]


def book(desk: VirtualDesk, pet: int, delta: int = 3) -> Change:
    (id_,) = desk.apply(NewChange(Ref(Resource.INVENTORY, pet), AddStock(delta), {"quantity": 0}))
    return stands(desk, id_)


def rename(desk: VirtualDesk, name: str, seen: str, pet: int = 7) -> Change:
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": name}), {"name": seen}))
    return stands(desk, id_)


def code(change: Change) -> tuple[str, str]:
    return change.state.value, "" if change.reason is None else change.reason.code


def words(change: Change) -> str:
    sentence = sentence_of(change, None)
    return str(change_sentence(sentence.code, sentence.params, 0.0, None))


# ---------------------------------------------------------------- done, and called too soon


class TooSoon(Small):
    """It does each write, and answers 429 to it."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        answer = super().answer(request)
        return answer if request.method == "GET" else httpx.Response(429, headers={"Retry-After": "1"})


def test_a_creation_that_is_answered_429_and_was_made_is_found_by_its_list(loop: VirtualTime, tmp_path: Path) -> None:
    """It was made 22 times in a minute, and twice where the service said so once."""
    service = TooSoon()
    desk = a_desk(loop, service, tmp_path)
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, LocalId("new")), Create({"name": "Rex"}), {}))
    change = stands(desk, id_)
    loop.run_for(3_600.0)
    assert len(service.written) == 1 and len(service.pets) == 4
    assert change.state is ChangeState.DONE and change.result_key == max(service.pets)
    desk.close()


def test_a_creation_in_a_long_list_is_looked_for_after_some_429s(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordReader, "is_cheap", lambda *_: False)
    service = TooSoon()
    desk = a_desk(loop, service, tmp_path)
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, LocalId("new")), Create({"name": "Rex"}), {}))
    stands(desk, id_)
    loop.run_for(3_600.0)
    assert len(service.written) == FAILED_IN_A_ROW
    desk.close()


def test_a_creation_that_is_answered_429_and_was_not_made_is_sent_again(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small()
    desk = a_desk(loop, service, tmp_path)
    make_it, service._made = service._made, lambda _: httpx.Response(429, headers={"Retry-After": "1"})
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, LocalId("new")), Create({"name": "Rex"}), {}))
    loop.run_for(30.0)
    assert desk.changes[id_].state.is_open and not desk.changes[id_].needs_person
    service._made = make_it
    assert stands(desk, id_).state is ChangeState.DONE
    assert len(service.pets) == 4
    desk.close()


def test_a_change_that_is_answered_429_each_time_leaves_ever_more_seldom(loop: VirtualTime, tmp_path: Path) -> None:
    service = TooSoon()
    desk = a_desk(loop, service, tmp_path)
    desk.apply(NewChange(Ref(Resource.PETS, 7), SetFields({"name": "Rex", "status": "sold"}), {"name": "Pet 7"}))
    loop.run_for(2_460.0)
    assert len(service.written) <= 20, "it was sent 53 times"
    desk.close()


# ---------------------------------------------------------------- an answer that breaks off


class BreaksOff(Small):
    """Its pets come in two pages; the second, which begins with one that cannot be read, breaks off at first."""

    pages = 0

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.method != "GET" or request.url.path != "/v1/pets":
            return super().answer(request)
        if request.url.params.get("page") != "2":
            return httpx.Response(200, json=[*self.pets.values()], headers={"Link": '</v1/pets?page=2>; rel="next"'})
        self.pages += 1
        return httpx.Response(200, content=self.second(whole=self.pages > 1))

    @staticmethod
    async def second(*, whole: bool) -> AsyncIterator[bytes]:
        rows: list[dict[str, Any]] = [{"id": 900, "name": 5}]
        rows += [{"id": 1_000 + number, "name": "Frog"} for number in range(3_000)]
        said = json.dumps(rows).encode()
        yield said if whole else said[:-10_000]
        if not whole:
            raise httpx.ReadError("cut")


def test_what_could_not_be_read_in_an_answer_that_broke_off_is_counted_once(loop: VirtualTime, tmp_path: Path) -> None:
    service = BreaksOff()
    desk = a_desk(loop, service, tmp_path)
    loop.run_for(600.0)
    assert service.pages == 2
    assert len(desk.rows[Resource.PETS]) == 3_003
    gaps = desk.ended(Resource.PETS)[-1].gaps
    assert (gaps.set_aside, gaps.reasons) == (1, ("pets 900: name cannot be 5",))
    desk.close()


# ---------------------------------------------------------------- another record


def test_a_booking_that_changes_the_stock_of_another_pet_is_never_done(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small()
    desk = a_desk(loop, service, tmp_path)
    change = book(desk, 102)
    assert code(change) == ("refused", "another-record")
    assert "record 7" in words(change)
    hit = desk.rows[Resource.INVENTORY][7]
    assert isinstance(hit, InventoryItem)
    assert hit.quantity == 13, "the entry that was hit is shown as it is"
    assert service.written == ["PATCH /stock/102"]


def test_the_operation_stops_until_a_person_has_one_sent_again(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small()
    desk = a_desk(loop, service, tmp_path)
    wrong, held = book(desk, 102), book(desk, 103)
    assert (code(held), len(service.written)) == (("refused", "operation-stopped"), 1)
    assert rename(desk, "Rex", "Pet 7").state is ChangeState.DONE, "other operations go on"
    desk.kill()
    desk.start()
    desk.wait_idle()
    assert code(book(desk, 7)) == ("refused", "operation-stopped"), "after a restart too"
    desk.submit(Discard((wrong.id,)))
    assert code(book(desk, 7)) == ("refused", "operation-stopped"), "what is discarded says nothing of the others"
    assert service.written == ["PATCH /stock/102", "PATCH /pets/7"]
    desk.submit(Retry((held.id,)))
    desk.wait_for((held.id,), ChangeState.DONE)
    assert service.stock[2] == {"id": 103, "petId": 103, "quantity": 6}
    assert code(book(desk, 102)) == ("refused", "another-record"), "and it stops again"


# ---------------------------------------------------------------- another value


def test_another_value_than_was_sent_is_never_done_and_is_said(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small()
    desk = a_desk(loop, service, tmp_path)
    change = rename(desk, "Maximilian the Great", "Pet 7")
    assert code(change) == ("refused", "another-value")
    assert change.reason is not None
    assert change.reason.theirs == {"name": "Maximilian t"}
    assert "Maximilian t" in words(change)
    assert code(rename(desk, "Max", "Pet 102", 102)) == ("refused", "operation-stopped")
    desk.submit(Retry((change.id,)))
    desk.wait_for((change.id,), ChangeState.DONE)  # a person has seen what it makes of names
    assert code(rename(desk, "Maximilian the Small", "Pet 103", 103)) == ("done", "rewritten")


def test_a_field_that_is_emptied_beside_what_was_sent_stops_it(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small()
    desk = a_desk(loop, service, tmp_path)
    service.empties = True
    change = rename(desk, "Rex", "Pet 7")
    assert code(change) == ("refused", "emptied")
    assert code(rename(desk, "Max", "Pet 102", 102)) == ("refused", "operation-stopped")
    assert service.pets[102]["categoryId"] == 1


def test_a_record_that_is_made_otherwise_is_made_once_and_no_other(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small(forced="sold")
    desk = a_desk(loop, service, tmp_path)
    fields = {"name": "Koi", "category_id": 1, "status": "available"}
    first, second = (desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create(fields)))[0] for _ in range(2))
    desk.wait(lambda: desk.changes[second].needs_person, "the second waits for a person")
    assert code(desk.changes[first]) == ("done", "another-value")
    assert [str(one.error) for one in desk.of(Trouble)] != []
    assert code(desk.changes[second]) == ("refused", "operation-stopped")
    assert service.written == ["POST /pets"]
    desk.submit(Retry((second,)))
    desk.wait_for((second,), ChangeState.DONE)
    assert len(service.pets) == 5


# ---------------------------------------------------------------- assumed values


@pytest.mark.parametrize("etags", [True, False], ids=["If-Match", "unguarded"])
@pytest.mark.parametrize("silent", [True, False], ids=["204", "shown"])
def test_a_service_that_trims_a_name_is_no_colleague(
    loop: VirtualTime, tmp_path: Path, etags: bool, silent: bool
) -> None:
    service = Small(etags=etags, silent=silent)
    desk = a_desk(loop, service, tmp_path)
    assert code(rename(desk, " Rex ", "Pet 7")) == ("done", "assumed" if silent else "rewritten")
    desk.submit(Refresh((Resource.PETS,)))
    loop.run_for(30.0)
    assert desk.rows[Resource.PETS][7] == Pet(7, "Rex", 1, "available")
    assert rename(desk, "Max", " Rex ").state is ChangeState.DONE
    assert service.pets[7]["name"] == "Max"


@pytest.mark.parametrize("restart", [True, False])
def test_an_undo_rests_on_what_became_of_the_value(loop: VirtualTime, tmp_path: Path, restart: bool) -> None:
    service = Small(etags=True, silent=True)
    desk = a_desk(loop, service, tmp_path)
    done = rename(desk, " Rex ", "Pet 7")
    if restart:
        desk.kill()
        desk.start()
        desk.wait_idle()
    desk.submit(Refresh((Resource.PETS,)))
    loop.run_for(30.0)
    known = set(desk.changes)
    desk.submit(Revert(done.batch))
    desk.wait(lambda: set(desk.changes) - known, "the undo is saved")
    (id_,) = set(desk.changes) - known
    assert stands(desk, id_).state is ChangeState.DONE
    assert service.pets[7]["name"] == "Pet 7"


def test_what_a_service_cuts_is_its_own_by_the_version(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small(etags=True, silent=True)
    desk = a_desk(loop, service, tmp_path)
    assert rename(desk, "Ola", "Pet 103", 103).state is ChangeState.DONE
    for pet in (7, 102):
        assert code(rename(desk, "Maximilian the Great", f"Pet {pet}", pet)) == ("done", "assumed")
    service.put(102, name="Moritz")  # a colleague
    desk.submit(Refresh((Resource.PETS,)))
    loop.run_for(30.0)
    assert rename(desk, "Max", "Maximilian the Great").state is ChangeState.DONE
    assert code(rename(desk, "Max", "Maximilian the Great", 102)) == ("conflict", "moved")


def test_a_count_that_is_assumed_is_a_colleagues_once_it_differs(loop: VirtualTime, tmp_path: Path) -> None:
    service = Small(silent=True)
    service.stock[2]["quantity"] = 3
    desk = a_desk(loop, service, tmp_path)
    (id_,) = desk.apply(NewChange(Ref(Resource.INVENTORY, 103), SetStock(5), {"quantity": 3}))
    assert stands(desk, id_).state is ChangeState.DONE
    service.stock[2]["quantity"] = 9
    (id_,) = desk.apply(NewChange(Ref(Resource.INVENTORY, 103), SetStock(6), {"quantity": 5}))
    assert code(stands(desk, id_)) == ("conflict", "moved")


# ---------------------------------------------------------------- refused, and done all the same


class Denying(Small):
    """It answers each change with this status, and does it or not. `names`: its stock's path takes the pet's id."""

    def __init__(self, status: int, *, does: bool) -> None:
        super().__init__()
        self.status, self.does = status, does

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return super().answer(request)
        place = request.url.path.removeprefix("/v1/")
        self.written.append(place)
        kind, _, key = place.partition("/")
        body = json.loads(request.content)
        if self.does and kind == "stock":
            next(one for one in self.stock if one["petId"] == int(key))["quantity"] = body["quantity"]
        elif self.does:
            self.put(int(key), **body)
        return httpx.Response(self.status, json={"message": "no"})


@pytest.mark.parametrize("does", [True, False])
@pytest.mark.parametrize("status", [400, 404, 409, 412, 422])
def test_a_change_that_is_refused_and_was_done_is_found_by_a_look(
    loop: VirtualTime, tmp_path: Path, status: int, *, does: bool
) -> None:
    service = Denying(status, does=does)
    desk = a_desk(loop, service, tmp_path)
    change = rename(desk, "Rex", "Pet 7")
    assert change.state is (ChangeState.DONE if does else ChangeState.REFUSED)
    loop.run_for(600.0)
    assert len(service.written) == 1
    desk.close()


@pytest.mark.parametrize("does", [True, False])
@pytest.mark.parametrize("status", [400, 404, 409, 412, 422])
def test_a_booking_that_is_refused_and_was_done_is_asked_about(
    loop: VirtualTime, tmp_path: Path, status: int, *, does: bool
) -> None:
    """Refused, it was sent again by a person: 10, one +3, 16. Each one is looked at, not the first alone."""
    service = Denying(status, does=does)
    desk = a_desk(loop, service, tmp_path)
    for pet in (102, 103):
        change = book(desk, pet)
        if does:
            assert code(change) == ("uncertain", "as-sent") and change.needs_person
        elif status != 412:
            assert change.state is ChangeState.REFUSED
    loop.run_for(600.0)
    assert len(service.written) == 2
    desk.close()


def test_a_booking_that_was_accepted_for_later_is_said_to_be(loop: VirtualTime, tmp_path: Path) -> None:
    service = Denying(202, does=False)
    desk = a_desk(loop, service, tmp_path)
    change = book(desk, 102)
    assert change.needs_person
    assert words(change).startswith("The service accepted it, to be done later.")
    desk.close()


def test_what_was_accepted_for_later_is_done_once_it_is_there(loop: VirtualTime, tmp_path: Path) -> None:
    """It was said not to be done yet for ever, though two readings had shown it; sent again, it was booked twice."""
    service = Denying(202, does=False)
    desk = a_desk(loop, service, tmp_path)
    change = book(desk, 102)
    assert code(change) == ("uncertain", "accepted")
    service.stock[0]["quantity"] = 13
    desk.submit(Refresh((Resource.INVENTORY,)))
    desk.wait(lambda: desk.changes[change.id].state is ChangeState.DONE, "it is done")
    assert len(service.written) == 1
    desk.close()


def test_what_is_asked_about_is_said_of_what_was_read_last(loop: VirtualTime, tmp_path: Path) -> None:
    service = Denying(202, does=False)
    desk = a_desk(loop, service, tmp_path)
    change = book(desk, 102)
    for number, said in ((9, "neither"), (10, "accepted")):
        service.stock[0]["quantity"] = number
        desk.submit(Refresh((Resource.INVENTORY,)))
        loop.run_for(30.0)
        assert code(desk.changes[change.id]) == ("uncertain", said)
    renamed = rename(desk, "Rex", "Pet 7")
    assert code(renamed) == ("uncertain", "accepted")
    del service.pets[7]
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: code(desk.changes[renamed.id]) == ("refused", "gone"), "it is gone")
    assert len(service.written) == 2
    desk.close()


# ---------------------------------------------------------------- half of a change


class Half(Small):
    """It takes each field of a pet but its category, and says yes. `tells`: its answer shows the pet."""

    def __init__(self, *, tells: bool) -> None:
        super().__init__(silent=not tells)

    def put(self, number: int, **fields: Any) -> None:
        super().put(number, **{name: value for name, value in fields.items() if name != "categoryId"})


@pytest.mark.parametrize("tells", [True, False])
def test_a_change_that_was_done_in_part_says_which_part(loop: VirtualTime, tmp_path: Path, *, tells: bool) -> None:
    """It was told as a change made elsewhere, and that nothing was overwritten."""
    service = Half(tells=tells)
    desk = a_desk(loop, service, tmp_path)
    seen = {"status": "available", "category_id": 1}
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, 7), SetFields({"status": "sold", "category_id": 2}), seen))
    change = stands(desk, id_)
    assert code(change) == ("refused", "half-done")
    assert "Category is 1" in words(change) and "sold" not in words(change)
    assert getattr(desk.rows[Resource.PETS][7], "status", None) == "sold"
    assert len(service.written) == 1
    desk.close()


# ---------------------------------------------------------------- entries with ids of their own


class OwnIds(Small):
    """Its stock entries have ids of their own; that of pet 103 is 103 too. `told`: what its document says: nothing
    ("none"), the entries with the pet as an object ("nested"), or paths alone ("paths"). `by`: the id that its path
    takes; `reads`: whether it shows one entry there."""

    def __init__(self, told: str, by: str = "id", *, reads: bool = False) -> None:
        super().__init__()
        self.told, self.by, self.reads = told, by, reads
        self.read: list[str] = []

    @property
    def document(self) -> dict[str, Any]:
        document = super().document
        item = document["paths"].pop("/stock/{petId}")
        item["parameters"][0]["name"] = "id"
        entry: dict[str, Any] = {}
        if self.told == "nested":
            pet = {"type": "object", "properties": {"id": NUMBER, "name": TEXT}}
            entry = {"type": "object", "properties": {"id": NUMBER, "pet": pet, "quantity": NUMBER}}
        for schema in (document["paths"]["/stock"]["get"]["responses"]["200"], item["patch"]["responses"]["200"]):
            schema["content"]["application/json"]["schema"] = entry
        of_list = document["paths"]["/stock"]["get"]["responses"]["200"]["content"]["application/json"]
        of_list["schema"] = {"type": "array", "items": entry}
        change = {"type": "object", "properties": {"quantity": NUMBER}}
        item["patch"]["requestBody"]["content"]["application/json"]["schema"] = change
        document["paths"]["/stock/{id}"] = item
        return document

    def answer(self, request: httpx.Request) -> httpx.Response:
        place = request.url.path.removeprefix("/v1/")
        if self.told == "none" and place == "openapi.json":
            return httpx.Response(404)
        if place.split("/")[0] == "inventory" and self.told == "none":
            url = f"{self.url}/{place.replace('inventory', 'stock')}"
            request = httpx.Request(request.method, url, content=request.content)
        kind, _, key = request.url.path.removeprefix("/v1/").partition("/")
        if kind != "stock":
            return super().answer(request)
        if not key:
            return httpx.Response(200, json=[self._shown(one) for one in self.stock])
        entry = next((one for one in self.stock if str(one[self.by]) == key), None)
        if request.method == "GET":
            self.read.append(key)
        if entry is None or (request.method == "GET" and not self.reads):
            return httpx.Response(404)
        if request.method != "GET":
            self.written.append(f"{request.method} {key}")
            entry["quantity"] = json.loads(request.content)["quantity"]
        return httpx.Response(200, json=self._shown(entry))

    def _shown(self, entry: dict[str, Any]) -> dict[str, Any]:
        pet = {"petId": entry["petId"]} if self.told == "none" else {"pet": {"id": entry["petId"], "name": "x"}}
        return {"id": entry["id"], "quantity": entry["quantity"], **pet}


@pytest.mark.parametrize("told", ["none", "nested", "paths"])
def test_no_stock_is_written_where_nobody_can_tell_which_entry_a_path_names(
    loop: VirtualTime, tmp_path: Path, told: str
) -> None:
    """The first booking met the entry whose id is its pet's, and counted as proof; the next changed another pet's."""
    service = OwnIds(told)
    desk = a_desk(loop, service, tmp_path)
    assert len(desk.rows[Resource.INVENTORY]) == 3
    for pet in (103, 102):
        assert code(book(desk, pet)) == ("refused", "key-doubted")
    assert service.written == []
    assert len(service.read) == 2, "it is asked once"
    desk.submit(Refresh((Resource.INVENTORY,)))
    desk.wait_idle()
    assert len(service.read) == 2
    desk.close()


@pytest.mark.parametrize("by", ["id", "petId"])
@pytest.mark.parametrize("told", ["none", "nested", "paths"])
def test_a_read_tells_which_id_of_an_entry_a_path_means(loop: VirtualTime, tmp_path: Path, told: str, by: str) -> None:
    service = OwnIds(told, by, reads=True)
    desk = a_desk(loop, service, tmp_path)
    before = {one["petId"]: one["quantity"] for one in service.stock}
    for pet in (103, 102, 7):
        assert book(desk, pet).state is ChangeState.DONE
    assert {one["petId"]: one["quantity"] - before[one["petId"]] for one in service.stock} == {102: 3, 7: 3, 103: 3}
    desk.close()
    asked = len(service.read)
    desk.start()
    desk.wait_idle()
    before = {one["petId"]: one["quantity"] for one in service.stock}
    assert book(desk, 102, 1).state is ChangeState.DONE
    assert {one["petId"]: one["quantity"] - before[one["petId"]] for one in service.stock} == {102: 1, 7: 0, 103: 0}
    assert by == "id" or "101" not in service.read[asked:], "what was seen is kept over starts"
    desk.close()


@pytest.mark.parametrize("told", ["none", "nested", "paths"])
def test_entries_whose_ids_are_those_of_their_pets_are_booked_until_one_has_another(
    loop: VirtualTime, tmp_path: Path, told: str
) -> None:
    service = OwnIds(told)
    for entry in service.stock:
        entry["id"] = entry["petId"]
    desk = a_desk(loop, service, tmp_path)
    assert book(desk, 103).state is ChangeState.DONE
    assert [one["quantity"] for one in service.stock] == [10, 40, 6]
    service.stock.append({"id": 104, "petId": 1, "quantity": 3})
    desk.submit(Refresh((Resource.INVENTORY,)))
    desk.wait_idle()
    assert code(book(desk, 103)) == ("refused", "key-doubted"), "an entry has come whose id is another"
    desk.close()


# ---------------------------------------------------------------- records that show less than was sent


class Shy(Small):
    """It has categories and orders too. What of these its answers do not show is `hidden`."""

    def __init__(self, hidden: str) -> None:
        super().__init__()
        self.hidden = hidden
        self.kept: dict[str, list[dict[str, Any]]] = {
            "categories": [{"id": 1, "name": "Dogs"}, {"id": 2, "name": "Cats"}],
            "orders": [{"id": 1, "petId": 7, "quantity": 1, "status": "placed"}],
        }

    @property
    def document(self) -> dict[str, Any]:
        document = super().document
        shapes = {"categories": {"name": TEXT}, "orders": {"petId": NUMBER, "quantity": NUMBER, "status": TEXT}}
        for kind, fields in shapes.items():
            sent = {"type": "object", "properties": {"id": NUMBER | {"readOnly": True}, **fields}}
            content = {"content": {"application/json": {"schema": sent}}}
            said = {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}}}
            document["paths"][f"/{kind}"] = {
                "get": {"responses": said},
                "post": {"requestBody": content, "responses": {"201": {"description": ""}}},
            }
        return document

    def answer(self, request: httpx.Request) -> httpx.Response:
        kind = request.url.path.removeprefix("/v1/")
        rows = self.kept.get(kind)
        if rows is None:
            return super().answer(request)
        if request.method == "POST":
            self.written.append(f"POST {kind}")
            rows.append({"id": len(rows) + 1, **json.loads(request.content)})
        shown = [{name: value for name, value in one.items() if name != self.hidden} for one in rows]
        return httpx.Response(201, json=shown[-1]) if request.method == "POST" else httpx.Response(200, json=shown)


def make(desk: VirtualDesk, resource: Resource, fields: dict[str, Any]) -> Change:
    (id_,) = desk.apply(NewChange(Ref(resource, LocalId.new()), Create(fields), {}))
    return stands(desk, id_)


def test_no_category_is_made_where_categories_have_no_names(loop: VirtualTime, tmp_path: Path) -> None:
    service = Shy("name")
    desk = a_desk(loop, service, tmp_path)
    assert code(make(desk, Resource.CATEGORIES, {"name": "Birds"})) == ("refused", "field-guessed")
    assert service.written == []
    desk.close()


def test_no_second_order_is_made_where_the_first_came_back_without_its_pet(loop: VirtualTime, tmp_path: Path) -> None:
    service = Shy("petId")
    desk = a_desk(loop, service, tmp_path)
    make(desk, Resource.ORDERS, {"pet_id": 7, "quantity": 1})
    second = make(desk, Resource.ORDERS, {"pet_id": 102, "quantity": 1})
    assert second.state is ChangeState.REFUSED
    assert len(service.written) <= 1
    desk.close()


# ---------------------------------------------------------------- a record within another


class Cascading(Shy):
    """A pet has its category as an object, and whatever comes in that is written too (JPA with `cascade=MERGE`)."""

    def __init__(self) -> None:
        super().__init__("")

    @property
    def document(self) -> dict[str, Any]:
        document = super().document
        category = {"type": "object", "properties": {"id": NUMBER, "name": TEXT}}
        pet = {"type": "object", "properties": {"id": NUMBER | {"readOnly": True}, "name": TEXT, "status": TEXT}}
        pet["properties"]["category"] = category
        said = {"200": {"description": "", "content": {"application/json": {"schema": pet}}}}
        body = {"content": {"application/json": {"schema": pet}}}
        listed = {"type": "array", "items": pet}
        all_ = {"200": {"description": "", "content": {"application/json": {"schema": listed}}}}
        document["paths"]["/pets"] = {
            "get": {"responses": all_},
            "post": {"requestBody": body, "responses": said},
        }
        where = [{"name": "petId", "in": "path", "required": True, "schema": NUMBER}]
        document["paths"]["/pets/{petId}"] = {
            "parameters": where, "get": {"responses": said}, "patch": {"requestBody": body, "responses": said},
        }  # fmt: skip
        return document

    def answer(self, request: httpx.Request) -> httpx.Response:
        kind, _, key = request.url.path.removeprefix("/v1/").partition("/")
        if kind != "pets":
            return super().answer(request)
        body: dict[str, Any] = json.loads(request.content) if request.content else {}
        if "category" in body:
            within = body.pop("category")
            next(one for one in self.kept["categories"] if one["id"] == within["id"]).update(within)
            body["categoryId"] = within["id"]
        if request.method != "GET":
            self.written.append(f"{request.method} pets")
        number = int(key) if key else max(self.pets) + 1
        if request.method == "POST":
            self.pets[number] = {"categoryId": None, **body, "id": number}
        elif request.method == "PATCH":
            self.put(number, **body)
        shown = [self._with_category(pet) for pet in self.pets.values()]
        one = next((pet for pet in shown if pet["id"] == number), None)
        return httpx.Response(200, json=shown if request.method == "GET" and not key else one)

    def _with_category(self, pet: dict[str, Any]) -> dict[str, Any]:
        fields = {name: value for name, value in pet.items() if name != "categoryId"}
        return fields | {
            "category": next((one for one in self.kept["categories"] if one["id"] == pet["categoryId"]), None)
        }


def test_the_name_of_a_category_that_goes_along_is_the_one_that_it_has_now(loop: VirtualTime, tmp_path: Path) -> None:
    """A colleague's new name for it was overwritten by the old one, within each pet."""
    service = Cascading()
    desk = a_desk(loop, service, tmp_path)
    assert {row.name for row in desk.rows[Resource.CATEGORIES].values()} == {"Dogs", "Cats"}
    loop.run_for(60.0)
    service.kept["categories"][1]["name"] = "Felines"
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, 7), SetFields({"category_id": 2}), {"category_id": 1}))
    assert stands(desk, id_).state is ChangeState.DONE
    service.kept["categories"][1]["name"] = "Big cats"
    loop.run_for(60.0)
    assert make(desk, Resource.PETS, {"name": "Kitten", "category_id": 2}).state is ChangeState.DONE
    assert service.kept["categories"][1]["name"] == "Big cats"
    desk.close()


# ---------------------------------------------------------------- said to be done, and found not to be


class Validating(Small):
    """It answers with nothing, and keeps no name that another pet has (`@pet.update(...); head :no_content`); or it
    answers with what it would have (`render json: @pet`)."""

    def _changed(self, request: httpx.Request, number: int, body: dict[str, Any]) -> httpx.Response:
        answer = super()._changed(request, number, body)
        return answer if self.silent else httpx.Response(200, json={**self.pets[number], **body})

    def put(self, number: int, **fields: Any) -> None:
        names = [pet["name"] for pet in self.pets.values()]
        super().put(number, **{name: value for name, value in fields.items() if value not in names})


@pytest.mark.parametrize(("silent", "anew"), [(True, False), (True, True), (False, False)])
def test_a_write_that_was_believed_and_is_not_there_is_told_and_each_one_after_it_is_looked_at(
    loop: VirtualTime, tmp_path: Path, *, silent: bool, anew: bool
) -> None:
    """Also by the next start: one command sends, and another one reads."""
    service = Validating(silent=silent)
    desk = a_desk(loop, service, tmp_path)
    assert rename(desk, "Rex", "Pet 7").state is ChangeState.DONE
    assert rename(desk, "Rex", "Pet 102", 102).state is ChangeState.DONE, "nothing tells yet"
    assert [one.error.code for one in desk.of(Trouble)] == []
    loop.run_for(10.0)
    if anew:
        desk.close()
        desk.start()
    else:
        desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: desk.of(Trouble), "it is told")
    assert [(one.error.code, one.error.params["met"]) for one in desk.of(Trouble)] == [("unkept", 1)]
    assert rename(desk, "Bello", "Pet 102", 102).state is ChangeState.DONE
    assert code(rename(desk, "Rex", "Pet 103", 103)) == ("refused", "stayed")
    desk.close()
