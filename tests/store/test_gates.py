from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from petstore_desktop.api.gate.memory import UNWRITTEN, restore, snapshot
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import BUCKETS, GatePhase, GateSnapshot, Plan
from petstore_desktop.store.gates import Gates

SHOP = "https://shop.example"
PAUSE = GateSnapshot(GatePhase.PAUSED, "boot-1", 1_000.125, 1_763_700_060.5, 60.0, 1_763_700_000.5, '{"n":3,"w":"é"}')
KEY = "sk-canary-8f2b61d0"
PAUSED = GatePhase.PAUSED


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "gates.db"


@pytest.fixture
def gates(path):
    gates = Gates(path)
    yield gates
    gates.close()


def test_a_pause_outlives_the_process(gates, path):
    mine = gates.fingerprint(KEY)
    gates.save(SHOP, mine, PAUSE)
    gates.close()
    again = Gates(path)
    assert again.load(SHOP, again.fingerprint(KEY)) == (PAUSE, ())
    again.close()


@pytest.mark.parametrize("phase", list(GatePhase))
def test_every_state_comes_back_as_it_was(gates, phase):
    snapshot = replace(PAUSE, phase=phase, until_steady=None, until_wall=None)
    gates.save(SHOP, "a", snapshot)
    assert gates.load(SHOP, "a") == (snapshot, ())


def test_the_last_snapshot_of_a_key_counts(gates):
    gates.save(SHOP, "a", PAUSE)
    gates.save(SHOP, "a", replace(PAUSE, phase=GatePhase.OPEN))
    assert gates.load(SHOP, "a") == (replace(PAUSE, phase=GatePhase.OPEN), ())


def test_another_origin_is_another_gate(gates):
    gates.save(SHOP, "a", PAUSE)
    assert gates.load("https://other.example", "a") == (None, ())


@pytest.mark.parametrize("phase", ["paused", "probing", "banned"])
def test_a_new_key_is_told_of_every_pause_of_its_origin(gates, phase):
    waiting = replace(PAUSE, phase=GatePhase(phase), written_wall=50.0)
    gates.save(SHOP, "a", replace(PAUSE, written_wall=40.0))
    gates.save(SHOP, "b", waiting)
    assert gates.load(SHOP, "new") == (None, (replace(PAUSE, written_wall=40.0), waiting))


@pytest.mark.parametrize("phase", ["open", "spent", "locked"])
def test_a_new_key_does_not_inherit_what_concerned_the_old_key_alone(gates, phase):
    gates.save(SHOP, "a", replace(PAUSE, phase=GatePhase(phase)))
    assert gates.load(SHOP, "new") == (None, ())


def test_going_back_to_an_old_key_does_not_get_around_a_later_pause(gates):
    idle = replace(PAUSE, phase=GatePhase.OPEN, written_wall=40.0)
    gates.save(SHOP, "old", idle)
    gates.save(SHOP, "new", replace(PAUSE, written_wall=30.0))
    assert gates.load(SHOP, "old") == (idle, ())
    gates.save(SHOP, "new", replace(PAUSE, written_wall=50.0))
    assert gates.load(SHOP, "old") == (idle, (replace(PAUSE, written_wall=50.0),))


def test_a_key_that_waits_itself_is_told_of_the_others_whenever_they_began(gates):
    own = replace(PAUSE, phase=GatePhase.SPENT, written_wall=40.0)
    gates.save(SHOP, "old", own)
    gates.save(SHOP, "new", replace(PAUSE, written_wall=30.0))
    assert gates.load(SHOP, "old") == (own, (replace(PAUSE, written_wall=30.0),))


def test_fingerprints_tell_keys_apart_and_files_give_none_away(gates, path, tmp_path):
    mine = gates.fingerprint(KEY)
    assert mine == gates.fingerprint(KEY)
    assert mine != gates.fingerprint(KEY + "x")
    other = Gates(tmp_path / "other" / "gates.db")
    assert other.fingerprint(KEY) != mine
    other.close()
    gates.save(SHOP, mine, PAUSE)
    gates.close()
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert mine.encode() in content
    assert KEY.encode() not in content


def test_gates_of_two_programs_share_the_file(gates, path):
    second = Gates(path)
    second.save(SHOP, "a", PAUSE)
    assert gates.load(SHOP, "a") == (PAUSE, ())
    assert gates.fingerprint(KEY) == second.fingerprint(KEY)
    second.close()


def test_a_damaged_file_is_set_aside_and_named(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"garbage " * 1000)
    gates = Gates(path)
    assert gates.trouble is not None and gates.trouble.code == "gates-set-aside"
    assert Path(gates.trouble.params["path"]).read_bytes() == b"garbage " * 1000
    gates.save(SHOP, "a", PAUSE)
    assert gates.load(SHOP, "a") == (PAUSE, ())
    gates.close()


@pytest.mark.parametrize("boot", ["boot-1", "boot-2"])
def test_the_requests_that_a_damaged_file_counts_are_as_old_as_it_says(path, boot):
    """Found by the machine of two connections, episode 77:75: they counted as decades old, and were forgotten."""
    plan, now = Plan("small", 8, 60), Instant(50_000.0, 1_763_700_000.0, "boot-1")
    state = restore(None, plan, now)
    state = replace(state, day=replace(state.day, sends=((int(50_000.0 // (state.day.length / BUCKETS)), 41),)))
    first = Gates(path)
    key = first.fingerprint(KEY)
    first.save(SHOP, key, snapshot(state, now))
    first.close()
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("PRAGMA application_id = 7")
    again = Gates(path)
    own, pauses = again.load(SHOP, key)
    again.close()
    later = Instant(50_100.0 if boot == "boot-1" else 30.0, 1_763_700_100.0, boot)
    kept = restore(own, plan, later, pauses)
    assert sum(count for _, count in kept.day.sends) == 41 + UNWRITTEN
    assert kept.closure is not None and (kept.closure.phase, kept.closure.until <= later.steady) == (PAUSED, True)


def is_in_doubt(gates):
    return GatePhase.PROBING in [pause.phase for pause in gates.load(SHOP, "another")[1]]


def test_where_a_file_should_be_and_is_none_every_gate_is_in_doubt_until_it_is_known_again(path):
    first = Gates(path, used=False)
    assert (first.trouble, first.load(SHOP, "a")) == (None, (None, ()))
    first.close()
    path.write_bytes(b"")
    again = Gates(path, used=True)
    assert again.trouble is not None and again.trouble.code == "gates-gone"
    again.save(SHOP, "a", PAUSE)
    assert again.load(SHOP, "a") == (PAUSE, ())
    again.close()
    later = Gates(path, used=True)
    assert (later.trouble, is_in_doubt(later)) == (None, True)
    later.close()


@pytest.mark.posix("an open file can be removed")
@pytest.mark.parametrize("how", ["removed", "emptied", "another made it anew"])
def test_a_file_that_goes_while_it_is_in_use_is_made_anew_at_the_next_word(gates, path, how):
    mine = gates.fingerprint(KEY)
    gates.save(SHOP, mine, replace(PAUSE, phase=GatePhase.OPEN))
    second = Gates(path)
    if how == "emptied":
        os.truncate(path, 0)
    else:
        path.unlink()
    if how == "another made it anew":
        second.save(SHOP, "b", PAUSE)
    gates.save(SHOP, mine, PAUSE)
    second.save(SHOP, "c", PAUSE)
    again = Gates(path)
    assert (again.fingerprint(KEY), again.load(SHOP, mine)[0], again.load(SHOP, "c")[0]) == (mine, PAUSE, PAUSE)
    again.close()
    second.close()
    assert is_in_doubt(gates)


def test_gates_of_the_names_of_this_computer_become_one(gates, path):
    gates.save("http://localhost:8080", "a", PAUSE)
    gates.save("http://[::1]:8080", "a", replace(PAUSE, phase=GatePhase.OPEN, written_wall=1.0))
    gates.save("http://[::1]:8080", "b", PAUSE)
    gates.close()
    earlier = sqlite3.connect(path)
    earlier.execute("PRAGMA user_version = 1")
    earlier.close()
    again = Gates(path)
    assert again.load("http://127.0.0.1:8080", "a") == (PAUSE, (PAUSE,))
    assert again.load("http://localhost:8080", "a") == (None, ())
    again.close()
