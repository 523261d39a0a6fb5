"""A journal in which a row cannot be read is damaged: that is found when it is opened, not when it is too late."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from petstore_desktop.domain.batches import Batch, BatchKind
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.batches import Batches
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.store.journal.salvage import salvaged

WAITING = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal in which 20 changes wait, one of them tried before, and others are done."""
    path = tmp_path / "journal.db"
    journal = Journal(path)
    for name in ("done", "created"):
        local = Ref(Resource.PETS, LocalId.new())
        (change,) = journal.append(name, [NewChange(local, Create({"name": name}))], 1.0)
        journal.end_attempt(
            journal.begin_attempt([change.id], "{}", {}, {}, 2.0), Outcome(ChangeState.DONE, None, 77), 3.0
        )
    changes = [
        journal.append(
            f"b{n}", [NewChange(Ref(Resource.PETS, n), SetFields({"name": f"Hasso {n}"}), {"name": "Rex"})], 4.0
        )
        for n in range(WAITING - 1)
    ]
    (booked,) = journal.append("stock", [NewChange(Ref(Resource.INVENTORY, 5), AddStock(12), {"quantity": 4})], 4.5)
    attempt = journal.begin_attempt([booked.id], "{}", {"quantity": 4}, {"quantity": 16}, 5.0)
    journal.end_attempt(attempt, Outcome(ChangeState.UNCERTAIN), 6.0)
    Batches(journal).steer(Batch("b3", 4.0, BatchKind.EDIT, paused=True))
    assert len(changes) == WAITING - 1
    journal.close()
    return path


def flip(path: Path, content: bytes, within: int = 0) -> None:
    """One bit of the first place where this stands."""
    whole = bytearray(path.read_bytes())
    at = whole.index(content) + within
    whole[at] ^= 0x01
    path.write_bytes(whole)


def accounted(path: Path) -> tuple[list[int], list[int]]:
    """What waits in the journal and what is listed of one that was set aside, after a start."""
    journal = Journal(path)
    waiting = [change.id for change in journal.open_changes()]
    journal.close()
    listed: list[int] = []
    if journal.set_aside is not None:
        found = salvaged(journal.set_aside)
        listed = [change.id for change, _ in found.changes] + [lost.id for lost in found.lost]
    return waiting, listed


@pytest.mark.parametrize("within", range(0, 36, 3))
def test_one_flipped_bit_in_one_intent_costs_none_of_the_others_and_is_named(path: Path, within: int) -> None:
    flip(path, b'{"kind":"set","fields":{"name":"Hasso 7"', within)
    waiting, listed = accounted(path)
    assert waiting == []
    assert sorted(listed) == list(range(3, 3 + WAITING))
    assert accounted(path) == ([], [])


def test_what_cannot_be_read_is_named_with_what_stands_there(path: Path) -> None:
    flip(path, b'{"kind":"set","fields":{"name":"Hasso 7"', 9)
    journal = Journal(path)
    journal.close()
    assert journal.set_aside is not None
    (lost,) = salvaged(journal.set_aside).lost
    assert (lost.id, lost.at) == (10, 4.0)
    assert "Hasso 7" in lost.text


@pytest.mark.parametrize(
    "content", [b'{"quantity":16}', b"uncertain", b'{"name":"Rex"}'], ids=["what was sent", "how it ended", "the base"]
)
def test_a_flipped_bit_in_an_attempt_or_a_base_is_found(path: Path, content: bytes) -> None:
    flip(path, content, len(content) // 2 + 3)
    waiting, listed = accounted(path)
    assert (waiting, sorted(listed)) == ([], list(range(3, 3 + WAITING)))


def test_a_sound_journal_stays_where_it_is(path: Path) -> None:
    assert accounted(path) == (list(range(3, 3 + WAITING)), [])


def test_wherever_one_byte_is_damaged_each_waiting_change_waits_or_is_listed(path: Path, tmp_path: Path) -> None:
    dice = random.Random(11)
    size = path.stat().st_size
    for number in range(150):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        copy = folder / "journal.db"
        shutil.copyfile(path, copy)
        at, bits = dice.randrange(size), dice.randrange(1, 256)
        with copy.open("r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ bits]))
        waiting, listed = accounted(copy)
        assert set(waiting) | set(listed) >= set(range(3, 3 + WAITING)), (at, bits)
        shutil.rmtree(folder)
