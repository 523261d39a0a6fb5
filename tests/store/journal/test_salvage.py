from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import Change, ChangeState, NewChange, Reason, SetFields
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.store.journal.salvage import salvaged

PAGE = 4096
DAMAGE = b"\xa5" * PAGE
BATCHES, IN_EACH = 100, 20


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[int, Change]]]:
    """A journal of 2,000 changes, and those of them that wait: every second batch."""
    path = tmp_path_factory.mktemp("salvage") / "journal.db"
    journal = Journal(path)
    waiting: dict[int, Change] = {}
    for batch in range(BATCHES):
        news = [
            NewChange(Ref(Resource.PETS, 2**62 + n), SetFields({"name": f"Rex {batch}"}), {"name": "x"})
            for n in range(IN_EACH)
        ]
        before = [Pet(2**62, "Rex <b>", None, "sold", {})] * IN_EACH
        changes = journal.append(f"batch {batch}", news, float(batch), before)
        if batch % 2:
            attempt = journal.begin_attempt([change.id for change in changes], "{}", {}, {}, batch + 1.0)
            journal.end_attempt(attempt, Outcome(ChangeState.DONE), batch + 2.0)
        else:
            waiting |= {change.id: change for change in changes}
    refused = min(waiting)
    attempt = journal.begin_attempt([refused], "{}", {}, {}, 500.0)
    journal.end_attempt(attempt, Outcome(ChangeState.REFUSED, Reason("no", "sorry", 422)), 501.0)
    (waiting[refused],) = journal.changes([refused])
    journal.close()
    yield path, waiting


def damaged(full: Path, folder: Path, *pages: int) -> Path:
    path = folder / "journal.db.damaged-1"
    shutil.copyfile(full, path)
    with path.open("r+b") as file:
        for page in pages:
            file.seek(page * PAGE)
            file.write(DAMAGE)
    return path


def test_of_a_whole_journal_exactly_what_waits_is_found_with_the_names_of_its_records(full, tmp_path):
    path, waiting = full
    found = salvaged(damaged(path, tmp_path)).changes
    assert [change for change, _ in found] == list(waiting.values())
    assert {name for _, name in found} == {"Rex <b>"}


def test_the_first_page_holds_no_change(full, tmp_path):
    path, waiting = full
    assert [change for change, _ in salvaged(damaged(path, tmp_path, 0)).changes] == list(waiting.values())


def test_of_a_broken_page_only_what_lay_on_it_is_missing_and_nothing_done_is_listed(full, tmp_path):
    path, waiting = full
    pages = path.stat().st_size // PAGE
    complete = 0
    for page in range(pages // 3, pages, 8):
        found = [change for change, _ in salvaged(damaged(path, tmp_path, page)).changes]
        assert {change.id for change in found} <= waiting.keys()
        assert len(found) > 0.95 * len(waiting)
        complete += len(found) == len(waiting)
    assert complete > 0


def test_what_only_the_log_has_is_found_too(tmp_path):
    journal = Journal(tmp_path / "journal.db")
    (change,) = journal.append("b", [NewChange(Ref(Resource.PETS, 5), SetFields({"name": "Rex"}))], 1.0)
    for suffix in ("", "-wal"):
        shutil.copyfile(tmp_path / f"journal.db{suffix}", tmp_path / f"aside{suffix}")
    journal.close()
    assert salvaged(tmp_path / "aside").changes == ((change, ""),)


@pytest.mark.parametrize("content", [b"", b"no database " * 1000, DAMAGE * 40], ids=["empty", "words", "pages"])
def test_in_what_is_no_journal_nothing_is_found(tmp_path, content):
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    assert salvaged(path).changes == ()


def test_looking_changes_nothing_and_leaves_nothing_behind(full, tmp_path):
    path = damaged(full[0], tmp_path, 0, 40)
    before = path.read_bytes()
    salvaged(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
