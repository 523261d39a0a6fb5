"""What answers say about an operation's end, and what their absence means after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from email.utils import formatdate

import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop.api.client import Client
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.lifecycle.sunset import with_operation
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import NotFound, Refused, ShopError
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BY_PERSON, always, speaking, talk, walk
from tests.support.shop import Shop

REX, KOI = Ref(Resource.PETS, 5), Ref(Resource.PETS, 6)
BEFORE, AFTER = formatdate(1_782_777_600, usegmt=True), formatdate(1_814_500_000, usegmt=True)
"""A year before, and the day after the last day below."""
LAST_DAY = "2027-06-30"


def plain_contract(**marks: object) -> Contract:
    """The default contract, of whose pets nothing is marked but this."""
    contract = default()
    read = contract.operations[Op.PET_READ]
    return with_operation(contract, replace(read, **{"deprecated": False, "sunset": None, **marks}))


def listening(client: Client) -> list[Operation]:
    """What is told, while the contract follows as it does in the program."""
    told: list[Operation] = []

    def follow(operation: Operation) -> None:
        told.append(operation)
        client.use_contract(with_operation(client.contract, operation))

    client.gateway.notices.tell = follow
    return told


@pytest.mark.parametrize(
    ("headers", "deprecated", "sunset", "successor"),
    [
        ({"deprecation": "@1735689600", "sunset": "Wed, 30 Jun 2027 23:59:59 GMT"}, True, LAST_DAY, ""),
        ({"sunset": "Wed, 30 Jun 2027 23:59:59 GMT"}, True, LAST_DAY, ""),
        ({"sunset": "2027-06-30"}, True, LAST_DAY, ""),
        ({"sunset": "2027-06-30, 2027-07-01"}, True, LAST_DAY, ""),
        ({"deprecation": "true"}, True, None, ""),
        ({"deprecation": "Wed, 01 Jan 2025 00:00:00 GMT"}, True, None, ""),
        ({"deprecation": "@soon"}, True, None, ""),
        ({"deprecation": "true", "link": '</v1/pets>; rel="successor-version"'}, True, None, "/v1/pets"),
        ({"deprecation": "false"}, False, None, ""),
        ({"deprecation": "@4102444800"}, False, None, ""),  # it is announced for the year 2100
        ({"sunset": "some day"}, False, None, ""),
    ],
)
def test_headers_say_that_an_operation_ends_in_every_form_in_use(
    headers: dict[str, str], deprecated: bool, sunset: str | None, successor: str
) -> None:
    async def act(client: Client) -> list[Operation]:
        told = listening(client)
        await client.read(REX, BY_PERSON)
        await client.read(REX, BY_PERSON)
        return told

    told = talk(always(200, {"id": 5, "name": "Rex"}, **headers), act, plain_contract())
    marks = [(one.op, one.deprecated, one.sunset, one.successor) for one in told]
    assert marks == ([(Op.PET_READ, True, sunset, successor)] if deprecated else [])


def test_what_an_answer_says_goes_before_the_document_and_is_told_once() -> None:
    async def act(client: Client) -> list[Operation]:
        told = listening(client)
        for _ in range(3):
            await client.read(REX, BY_PERSON)
        return told

    postponed = always(200, {"id": 5, "name": "Rex"}, sunset="Fri, 31 Dec 2027 23:59:59 GMT")
    told = talk(postponed, act, plain_contract(deprecated=True, sunset=LAST_DAY))
    assert [one.sunset for one in told] == ["2027-12-31"]


def outcomes(answer: Callable[[httpx.Request], httpx.Response], *refs: Ref) -> tuple[list[ShopError], list[Operation]]:
    """The errors of these reads, one after the other, and what was told meanwhile."""

    async def act(client: Client) -> tuple[list[ShopError], list[Operation]]:
        told, errors = listening(client), []
        for ref in refs:
            try:
                await client.read(ref, BY_PERSON)
            except ShopError as error:
                errors.append(error)
        return errors, told

    return talk(answer, act, plain_contract(deprecated=True, sunset=LAST_DAY))


def test_one_record_that_is_not_found_after_the_last_day_proves_nothing_and_two_do() -> None:
    errors, told = outcomes(always(404, {"message": "no"}, date=AFTER), REX, REX, KOI)
    assert [(type(one), one.code) for one in errors] == [
        (Refused, "gone-or-removed"),
        (Refused, "gone-or-removed"),
        (Refused, "removed"),
    ]
    assert [one.removed for one in told] == [True]
    assert errors[-1].params["day"] == LAST_DAY
    assert errors[-1].params["request"] == "GET /pets/{petId}"
    assert "HTTP 404" in str(errors[-1].params["raw"])


def test_gone_for_good_after_the_last_day_is_said_of_the_operation() -> None:
    errors, told = outcomes(always(410, date=AFTER), REX)
    assert (errors[0].code, [one.removed for one in told]) == ("removed", [True])


@pytest.mark.parametrize("status", [404, 410])
def test_before_the_last_day_it_is_the_record_that_is_gone(status: int) -> None:
    errors, told = outcomes(always(status, date=BEFORE), REX, KOI)
    assert [type(one) for one in errors] == [NotFound, NotFound]
    assert told == []


def test_the_last_day_may_come_with_the_very_answer_that_says_no() -> None:
    gone = always(410, date=AFTER, sunset="Tue, 01 Jun 2027 00:00:00 GMT")
    errors, told = outcomes(gone, REX)
    assert errors[0].params["day"] == "2027-06-01"
    assert [(one.sunset, one.removed) for one in told] == [("2027-06-01", True)]


def test_an_operation_that_answers_again_is_there_again() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        found = request.url.path.endswith("/6")
        return httpx.Response(200 if found else 410, json={"id": 6, "name": "Koi"}, headers={"date": AFTER})

    errors, told = outcomes(answer, REX, KOI)
    assert [one.code for one in errors] == ["removed"]
    assert [one.removed for one in told] == [True, False]


def test_a_list_that_is_not_found_after_its_last_day_is_removed_at_once() -> None:
    contract = default()
    pets = replace(contract.operations[Op.PETS_LIST], deprecated=True, sunset=LAST_DAY)

    async def act(client: Client) -> list[Operation]:
        told = listening(client)
        with pytest.raises(Refused) as caught:
            await walk(client, Resource.PETS)
        assert caught.value.code == "removed"
        return told

    told = talk(always(404, date=AFTER), act, with_operation(contract, pets))
    assert [(one.op, one.removed) for one in told] == [(Op.PETS_LIST, True)]


def test_the_demo_shop_says_when_its_old_way_ends(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Shop(tmp_path_factory.mktemp("shop"), pets=3) as shop:
        (known,) = shop.rows("SELECT min(id) FROM pets")[0]

        async def run() -> list[Operation]:
            async with speaking(None, plain_contract(), key=shop.key, base=shop.url) as client:
                told = listening(client)
                await client.read(Ref(Resource.PETS, known), BY_PERSON)
                return told

        told = asyncio.run(run())
    assert [(one.op, one.deprecated, one.sunset) for one in told] == [(Op.PET_READ, True, LAST_DAY)]
