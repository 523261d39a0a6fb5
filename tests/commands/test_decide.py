"""`decide NAME`: a booking whose answer was lost while a colleague booked the same is decided without a window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AS_BEFORE, AddStock, ChangeState, NewChange, Reason
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from tests.commands.test_import import connected
from tests.program.running import Running, command
from tests.support.session import quantity
from tests.support.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=30) as shop:
        yield shop


def decide(data: Path, *given: str) -> Any:
    return command("--data-dir", str(data), "decide", "Shop", *given)


def an_unsure_booking(data: Path, pet: int, there: int) -> int:
    """Its number: it may have arrived, and the look was no proof."""
    [file] = (data / "connections").glob("*/journal.db")
    with closing(Journal(file)) as journal:
        [change] = journal.append("b", [NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": there})], 1.0)
        attempt = journal.begin_attempt([change.id], '{"op": "inventory.change"}', {}, {"quantity": there + 1}, 2.0)
        journal.end_attempt(attempt, Outcome(ChangeState.UNCERTAIN, Reason("interrupted", "")), 3.0)
        journal.settle(
            [change.id], Outcome(ChangeState.UNCERTAIN, Reason(AS_BEFORE, "", theirs={"quantity": there})), 4.0
        )
        return change.id


def test_both_can_be_said_and_taken_back_and_what_did_not_arrive_is_sent(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path / "data", shop)
    none = decide(data)
    assert (none.returncode, none.stdout) == (0, "") and "nothing needs a decision" in none.stderr
    [(pet,)] = shop.rows("SELECT min(pet_id) FROM inventory")
    there = quantity(shop, pet)
    change = str(an_unsure_booking(data, pet, there))
    said = decide(data).stdout
    [(name,)] = shop.rows("SELECT name FROM pets WHERE id = ?", pet)
    assert re.match(rf"{change}  inventory #{pet} {re.escape(name)}: quantity \+1: ", said)
    assert "Either your +1 never arrived, or it arrived" in said
    for choice in ("--done", "--again", "--discard"):
        done = decide(data, change, choice)
        assert (done.returncode, done.stderr) == (0, "")
        assert decide(data).stdout == ""
        assert decide(data, change, choice).returncode == 1
        assert decide(data, "--undo").stdout == said
        assert decide(data).stdout == said
    assert decide(data, change, "--again").returncode == 0
    assert command("--data-dir", str(data), "sync", "Shop", key=shop.key).returncode == 0
    assert quantity(shop, pet) == there + 1
    assert decide(data, "--undo").returncode == 1


def test_what_is_meant_must_be_said_whole(tmp_path: Path) -> None:
    for given in (("1",), ("--done",), ("1", "--done", "--again"), ("x", "--done")):
        assert decide(tmp_path, *given).returncode == 2


def test_beside_a_window_it_is_decided_there(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path / "data", shop)
    with Running(data, key=shop.key) as program:
        program.wait("rows", "pets")
        done = decide(data)
        assert (done.returncode, done.stdout) == (1, "")
        assert "window" in done.stderr


def test_a_damaged_journal_is_said_by_the_command_that_sets_it_aside(shop: Shop, tmp_path: Path) -> None:
    """It said that nothing needs a decision."""
    data = connected(tmp_path, shop)
    path = Places(data).journal("shop")
    with closing(Journal(path)) as journal:
        journal.append("b", [NewChange(Ref(Resource.INVENTORY, 10), AddStock(5))], 0.0)
    with path.open("r+b") as file:
        file.write(b"\xa5" * 4096)
    done = decide(data)
    assert (done.returncode, "nothing needs a decision" in done.stderr) == (1, False)
    (listed,) = path.parent.glob("journal.db.damaged-*.unsent.csv")
    assert f"what was not sent yet (1) is listed in {listed}" in done.stderr
    assert "nothing needs a decision" in decide(data).stderr
