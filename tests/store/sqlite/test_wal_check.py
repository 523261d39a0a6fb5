"""A journal whose log is damaged, or whose file is gone: nothing of it is forgotten in silence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import Change, ChangeState, Create, NewChange
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.store.journal.salvage import salvaged
from petstore_desktop.store.sqlite.wal_check import breaks_off, frames, hides_commits

FRAME = 4096 + 24
HEAD = 32


def create(journal: Journal, name: str) -> Change:
    (change,) = journal.append(name, [NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": name}))], 1.0)
    return change


def send(journal: Journal, change: Change) -> None:
    attempt = journal.begin_attempt([change.id], "{}", {}, {}, 2.0)
    journal.end_attempt(attempt, Outcome(ChangeState.DONE, None, 77), 3.0)


@pytest.fixture
def killed(tmp_path: Path) -> tuple[Path, int]:
    """The journal of a program that was killed: one creation was sent, one waits; and how many frames its log had when
    both waited."""
    journal = Journal(tmp_path / "first" / "journal.db")
    sent = create(journal, "sent")
    create(journal, "waits")
    log = tmp_path / "first" / "journal.db-wal"
    count = log.stat().st_size // FRAME
    send(journal, sent)
    path = tmp_path / "journal.db"
    for suffix in ("", "-wal"):
        shutil.copyfile(log.with_name(f"journal.db{suffix}"), tmp_path / f"journal.db{suffix}")
    journal.close()
    return path, count


def spoil(log: Path, at: int, length: int = 500) -> None:
    with log.open("r+b") as file:
        file.seek(at)
        file.write(b"\xaa" * length)


def names(path: Path) -> list[str]:
    return [change.intent.fields["name"] for change, _ in salvaged(path).changes if isinstance(change.intent, Create)]


def opened_anew(path: Path) -> Path:
    """The journal that was set aside when it was opened; the new one is empty."""
    journal = Journal(path)
    assert journal.open_changes() == ()
    journal.close()
    assert journal.set_aside is not None
    return journal.set_aside


@pytest.mark.parametrize("length", range(HEAD + 2))
def test_a_log_that_was_cut_within_its_head_holds_nothing(killed, length):
    path, _ = killed
    log = path.with_name("journal.db-wal")
    with log.open("r+b") as file:
        file.truncate(length)
    assert (hides_commits(log, path.read_bytes), breaks_off(log), list(frames(log))) == (False, False, [])
    Journal(path).close()


@pytest.mark.parametrize("gone", [True, False], ids=["gone", "empty"])
def test_no_new_journal_is_made_over_the_log_of_one_whose_file_is_lost(killed, gone):
    path, _ = killed
    log = path.with_name("journal.db-wal").read_bytes()
    path.unlink()
    if not gone:
        path.touch()
    aside = opened_anew(path)
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == log
    assert aside.exists() is not gone
    assert names(aside) == ["waits"]


def test_a_log_that_is_broken_before_its_end_is_damage_and_what_is_behind_is_still_read(killed):
    path, count = killed
    log = path.with_name("journal.db-wal")
    spoil(log, HEAD + count * FRAME + 100)
    content = log.read_bytes()
    aside = opened_anew(path)
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == content
    assert names(aside) == ["waits"]


@pytest.mark.parametrize("length", [4, HEAD, HEAD + FRAME + 900])
def test_a_log_whose_head_is_broken_is_damage_while_it_holds_what_the_file_does_not(killed, length):
    path, _ = killed
    spoil(path.with_name("journal.db-wal"), 0, length)
    assert names(opened_anew(path)) == ["waits"]


def test_a_log_whose_head_is_broken_is_no_damage_when_all_is_in_the_file(killed, tmp_path):
    path, _ = killed
    content = path.with_name("journal.db-wal").read_bytes()
    journal = Journal(path)
    waiting = journal.open_changes()
    journal.close()
    path.with_name("journal.db-wal").write_bytes(content)
    spoil(path.with_name("journal.db-wal"), 0, 500)
    again = Journal(path)
    assert again.set_aside is None
    assert again.open_changes() == waiting
    again.close()


def test_the_torn_end_of_a_log_is_no_damage_whichever_of_its_frames_are_there(killed):
    path, _ = killed
    log = path.with_name("journal.db-wal")
    found = list(frames(log))
    commits = [at for at, frame in enumerate(found) if frame.size and found[at - 1].page != frame.page]
    for at in range(commits[-2] + 2, len(found)):
        spoiled = log.with_name("spoiled")
        shutil.copyfile(log, spoiled)
        spoil(spoiled, HEAD + at * FRAME + 600)
        assert not hides_commits(spoiled, bytes)


def test_each_frame_of_a_sound_log_is_found_whole(killed):
    path, count = killed
    found = list(frames(path.with_name("journal.db-wal")))
    assert len(found) > count > 0
    assert all(frame.whole for frame in found)
    assert not hides_commits(path.with_name("journal.db-wal"), bytes)


def test_without_a_log_nothing_is_hidden(tmp_path):
    assert not hides_commits(tmp_path / "none-wal", bytes)
