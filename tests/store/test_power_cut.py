from __future__ import annotations

import random

import pytest

from petstore_desktop.store.journal.journal import Journal
from tests.store.power_cuts import Loss, Tally, run
from tests.support.power_cut import Disk, Op, recording

CUTS = 40
SEED = 20_251


def sync_nothing(journal: Journal) -> None:
    journal.connection.execute("PRAGMA synchronous = OFF")


def test_a_power_cut_loses_nothing_that_was_said_to_be_saved() -> None:
    tally = run(SEED, lambda tally: tally.cuts < CUTS)
    assert tally.cuts >= CUTS
    assert tally.acts > 10 * CUTS
    assert tally.under_way > CUTS // 2
    assert tally.in_part > CUTS // 2


def test_a_journal_that_does_not_sync_is_found_out() -> None:
    with pytest.raises(Loss):
        run(SEED, lambda tally: tally.cuts < CUTS, spoil=sync_nothing)


def test_a_disk_that_only_pretends_to_sync_is_found_out() -> None:
    with pytest.raises(Loss):
        run(SEED, lambda tally: tally.cuts < CUTS, deaf=True)


# ---------------------------------------------------------------- the disk itself


def found(*ops: Op, cuts: int = 60) -> set[bytes | None]:
    """What a file that was empty is found to be, over many cuts after these."""
    chance = random.Random(5)
    seen: set[bytes | None] = set()
    for _ in range(cuts):
        disk = Disk({"a": b""})
        for op in ops:
            disk.take(op)
        seen.add(disk.after_a_cut(chance).get("a"))
    return seen


def test_what_was_synced_is_found_whole() -> None:
    assert found(Op("write", "a", 0, b"x" * 2000), Op("sync", "a")) == {b"x" * 2000}


def test_what_was_not_synced_is_found_in_part() -> None:
    seen = found(Op("write", "a", 0, b"x" * 1024))
    assert {b"", b"x" * 512, b"x" * 1024} <= seen
    assert any(content and 0 < content.count(b"x") < 512 for content in seen), "no sector was torn"


def test_a_write_may_spoil_what_lies_beside_it_in_its_sector() -> None:
    lasting = (Op("write", "a", 0, b"x" * 1024), Op("sync", "a"))
    seen = found(*lasting, Op("write", "a", 100, b"y" * 100))
    assert any(content and content[:100] != b"x" * 100 for content in seen)
    assert all(content and content[512:] == b"x" * 512 for content in seen)


def test_a_deleted_file_may_be_found_again_unless_its_folder_was_synced() -> None:
    lasting = (Op("write", "a", 0, b"old"), Op("sync", "a"))
    assert found(*lasting, Op("deleted", "a")) == {b"old", None}
    assert found(*lasting, Op("deleted", "a", 1)) == {None}
    assert found(*lasting, Op("deleted", "a"), Op("made", "a")) == {b"old", b"", None}
    assert found(*lasting, Op("deleted", "a"), Op("made", "a"), Op("sync", "a")) == {b""}


def test_the_recording_holds_what_a_journal_did_in_order(tmp_path) -> None:
    with recording() as trace:
        journal = Journal(tmp_path / "journal.db")
        trace.say("open")
        journal.close()
    ops = [(op.what, op.name) for op in trace.ops]
    log = "journal.db-wal"
    assert ops.index(("made", log)) < ops.index(("write", log)) < ops.index(("sync", log)) < ops.index(("said", "open"))
    assert ops[-1] == ("deleted", log)


def test_the_tally_counts_from_nothing() -> None:
    assert run(1, lambda _: False) == Tally()
