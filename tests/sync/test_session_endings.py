"""What answers say of an operation's end reaches the window, outlives a restart, and has another way used."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.commands import CheckLive
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import Checked, ContractRead
from tests.support.session import Watched
from tests.support.shop import Shop

LAST_DAY = datetime(2027, 6, 30, 12, tzinfo=UTC).timestamp()
"""What the default document and the shop's headers say of GET /pets/{petId}."""
DAY_S = 86_400.0


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """More pets than a page of the list holds, so that they are read one by one for as long as that works."""
    with Shop(tmp_path / "shop", plan="unlimited", pets=520, service="full") as running:
        yield running


def be_at(shop: Shop, moment: float) -> None:
    """Set the shop's clock, as far as it tells the time (UTC epoch seconds)."""
    shop.control("clock", ahead=round(moment - time.time()))


def reading(watched: Watched) -> Operation:
    """How a pet is read, as it was told last."""
    return watched.of(ContractRead)[-1].contract.operations[Op.PET_READ]


def check(watched: Watched, ref: Ref) -> Checked:
    """Ask for a live check, and wait for its answer."""
    count = len(watched.of(Checked))
    watched.submit(CheckLive(ref))
    watched.wait(lambda: len(watched.of(Checked)) > count, f"{ref} is checked")
    return watched.of(Checked)[-1]


def read_alone(shop: Shop) -> int:
    """How many requests for one pet have come."""
    return sum(line["method"] == "GET" and line["path"].startswith("/v1/pets/") for line in shop.log_lines())


def some_pets(shop: Shop) -> list[Ref]:
    return [Ref(Resource.PETS, id_) for (id_,) in shop.rows("SELECT id FROM pets ORDER BY id LIMIT 3")]


def test_a_new_last_day_is_told_and_still_known_after_a_restart(tmp_path: Path, shop: Shop) -> None:
    koi = some_pets(shop)[0]
    with Watched(tmp_path / "data", shop) as watched:
        watched.wait_loaded(Resource.PETS)
        assert reading(watched).sunset == "2027-06-30"
        body = json.dumps({"id": koi.key, "name": "Koi"})
        shop.control("answer-next", status=200, body=body, headers={"Sunset": "Fri, 31 Dec 2027 23:59:59 GMT"})
        assert check(watched, koi).error is None
        watched.wait(lambda: reading(watched).sunset == "2027-12-31", "the new day is told")
    kept = Watched(tmp_path / "data", shop, start=False).session.contract
    assert kept is not None
    assert kept.operations[Op.PET_READ].sunset == "2027-12-31"


def test_after_its_last_day_an_operation_is_not_used_where_a_list_serves(tmp_path: Path, shop: Shop) -> None:
    be_at(shop, LAST_DAY + DAY_S)
    with Watched(tmp_path / "data", shop) as watched:
        watched.wait_loaded(Resource.PETS)
        assert check(watched, some_pets(shop)[0]).error is None
        assert read_alone(shop) == 0


def test_an_operation_that_proves_to_be_removed_is_told_and_its_work_is_done_by_the_list(
    tmp_path: Path, shop: Shop
) -> None:
    be_at(shop, LAST_DAY)
    koi, rex, tom = some_pets(shop)
    with Watched(tmp_path / "data", shop) as watched:
        watched.wait_loaded(Resource.PETS)
        shop.control("answer-next", status=410, body="")
        assert check(watched, koi).error is None
        watched.wait(lambda: reading(watched).removed, "it is told")
        assert read_alone(shop) == 1
        assert check(watched, rex).error is None
    with Watched(tmp_path / "data", shop) as again:
        again.wait(lambda: again.of(ContractRead), "what the service offers is told")
        assert reading(again).removed
        assert check(again, tom).error is None
    assert read_alone(shop) == 1


def test_a_record_that_is_not_found_after_the_last_day_is_looked_up_in_the_list(tmp_path: Path, shop: Shop) -> None:
    be_at(shop, LAST_DAY)
    koi, rex, _ = some_pets(shop)
    with Watched(tmp_path / "data", shop) as watched:
        watched.wait_loaded(Resource.PETS)
        shop.control("remove", pets=[koi.key])
        check(watched, koi)
        watched.wait(lambda: koi.key not in watched.rows[Resource.PETS], "the list has shown that it is gone")
        assert not reading(watched).removed
        assert rex.key in watched.rows[Resource.PETS]
