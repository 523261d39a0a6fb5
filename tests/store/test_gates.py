from __future__ import annotations

from dataclasses import replace

import pytest

from petstore_desktop.domain.quota import GatePhase, GateSnapshot
from petstore_desktop.store.gates import Gates

SHOP = "https://shop.example"
PAUSE = GateSnapshot(GatePhase.PAUSED, "boot-1", 1_000.125, 1_763_700_060.5, 60.0, 1_763_700_000.5, '{"n":3,"w":"é"}')
KEY = "sk-canary-8f2b61d0"


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
    assert gates.set_aside is not None
    assert gates.set_aside.read_bytes() == b"garbage " * 1000
    gates.save(SHOP, "a", PAUSE)
    assert gates.load(SHOP, "a") == (PAUSE, ())
    gates.close()
