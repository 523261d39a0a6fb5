"""`stock NAME PET +N|-N|=N`: one booking or count."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_import import connected
from tests.program.running import ROOT, command, environment
from tests.support.session import quantity
from tests.support.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=30) as shop:
        yield shop


@pytest.fixture
def data(shop: Shop, tmp_path: Path) -> Path:
    return connected(tmp_path / "data", shop)


def stock(data: Path, shop: Shop, *given: str) -> Any:
    return command("--data-dir", str(data), "stock", "Shop", *given, key=shop.key)


def a_pet(shop: Shop) -> tuple[int, str]:
    return shop.rows("SELECT p.id, p.name FROM pets p JOIN inventory i ON i.pet_id = p.id ORDER BY p.id LIMIT 1")[0]


def test_a_booking_and_a_count_by_id_and_by_name(shop: Shop, data: Path) -> None:
    pet, name = a_pet(shop)
    before = quantity(shop, pet)
    for given, expected in (
        ((str(pet), "+5"), before + 5),
        ((f"#{pet}", "-2"), before + 3),
        ((name, "=40"), 40),
        ((name, "=40"), 40),
    ):
        done = stock(data, shop, *given)
        assert (done.returncode, quantity(shop, pet)) == (0, expected), done.stderr
    said = json.loads(stock(data, shop, str(pet), "+1", "--dry-run", "--json").stdout)
    assert (said["requests"], said["saved"], quantity(shop, pet)) == (1, False, 40)
    assert said["booked"] == {"id": pet, "name": name, "before": 40, "after": 41}
    for named in (name, name.swapcase()):
        lines = stock(data, shop, named, "+1", "--dry-run").stdout.splitlines()
        assert lines[0] == f"{name} (#{pet}): 40 -> 41" and lines[1].startswith("1 change: 1 request")


def test_a_count_over_a_colleagues_sale_is_a_conflict(shop: Shop, data: Path) -> None:
    pet, _ = a_pet(shop)
    seen = quantity(shop, pet)
    shop.control("rows", inventory=[{"petId": pet, "quantity": seen + 7}])
    done = stock(data, shop, str(pet), "=3", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["changes"]["conflicts"] == 1
    assert quantity(shop, pet) == seen + 7


def test_a_pet_that_is_not_certain_is_refused_with_those_that_could_be_meant(shop: Shop, data: Path) -> None:
    (one, _), (two, _) = shop.rows("SELECT id, name FROM pets ORDER BY id LIMIT 2")
    shop.control("rows", pets=[{"id": one, "name": "Twin"}, {"id": two, "name": "Twin"}])
    command("--data-dir", str(data), "sync", "Shop", key=shop.key)
    before = len(shop.log_lines())
    for pet, words in (
        ("Twin", (f"#{one}", f"#{two}", "2 pets could be meant by Twin")),
        ("twin", ("there is no pet twin; did you mean", f"#{one}")),
        ("Nobody", ("there is no pet Nobody",)),
        ("999999", ("there is no pet 999999",)),
    ):
        done = stock(data, shop, pet, "+1")
        assert done.returncode == 1
        assert all(word in done.stderr for word in words), done.stderr
    assert len(shop.log_lines()) == before


@pytest.mark.parametrize("amount", ["5", "+", "+5.5", "=x", "", "+-3", "=٥"])
def test_an_amount_that_is_none_is_wrong_usage(shop: Shop, tmp_path: Path, amount: str) -> None:
    done = stock(tmp_path, shop, "1", amount)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_number_beyond_what_services_take_is_refused(shop: Shop, data: Path) -> None:
    pet, _ = a_pet(shop)
    done = stock(data, shop, str(pet), f"+{2**63}")
    assert done.returncode == 1
    assert "too large" in done.stderr


def test_a_booking_behind_one_that_needs_a_decision_ends_and_says_so(shop: Shop, data: Path) -> None:
    """It said "0 of 1 change sent" each 15 seconds, without an end and without a reason."""
    pet, _ = a_pet(shop)
    before = quantity(shop, pet)
    shop.control("answer-next", status=202, body="", method="PATCH")
    first = stock(data, shop, str(pet), "+2")
    assert (first.returncode, quantity(shop, pet)) == (1, before), first.stderr
    second = stock(data, shop, str(pet), "+3")
    assert second.returncode == 1
    assert (
        "of 1 change: 1 waits for an earlier change that needs your decision; see `petstore-desktop decide Shop`"
        in (second.stderr)
    )
    number = command("--data-dir", str(data), "decide", "Shop").stdout.split()[0]
    assert command("--data-dir", str(data), "decide", "Shop", number, "--again").returncode == 0
    third = stock(data, shop, str(pet), "+4")
    assert (third.returncode, quantity(shop, pet)) == (0, before + 9), third.stderr


@pytest.mark.posix("there is a device that is always full")
def test_a_booking_of_which_the_answer_cannot_be_written_is_said_to_be_done(shop: Shop, data: Path) -> None:
    """It was an unexpected error, and whoever repeated it booked twice."""
    pet, _ = a_pet(shop)
    before = quantity(shop, pet)

    def ended(*given: str) -> tuple[int, str]:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "petstore_desktop", *given, "--data-dir", str(data)],
                cwd=ROOT, env=environment(shop.key), stdout=full, stderr=subprocess.PIPE, check=False,
            )  # fmt: skip
        return done.returncode, done.stderr.decode()

    for more in ((), ("--json",)):
        code, said = ended("stock", "Shop", str(pet), "+3", *more)
        assert (code, said.count("it was done")) == (3, 1), said
        assert "No space left on device" in said
    assert quantity(shop, pet) == before + 6
    for given in (
        ["changes", "Shop", "--json"],
        ["export", "Shop", "pets"],
        ["stock", "Shop", str(pet), "+3", "--dry-run"],
    ):
        code, said = ended(*given)
        assert (code, "it was done" in said, "could not be written" in said) == (1, False, True), said
    assert "unexpected" not in said and quantity(shop, pet) == before + 6
