"""Data folders of other versions: an older one is opened with everything in it after a copy, that of a later program is
refused and left as it is, byte for byte."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from petstore_desktop import __version__, data_folder
from petstore_desktop.data_folder import Places, upgrade
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store import gates, request_log
from petstore_desktop.store.history import schema as history
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.journal import archive
from petstore_desktop.store.journal import schema as journal
from petstore_desktop.store.journal.unsent_count import copied
from petstore_desktop.store.mirror import schema as mirror
from petstore_desktop.store.mirror.rows import SCHEMA_VERSION
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
from petstore_desktop.store.sqlite.typed_apsw import connect
from tests.program.opened import Opened
from tests.program.running import ROOT, command, environment, until
from tests.program.small_disk import small_disk
from tests.support.data_of_version import CODE, DRAFT, PETS, THEIRS, make, unpack
from tests.support.later_program import LATER
from tests.support.patience import PATIENCE_S

OLDER = sorted(path.name[5:-7] for path in Path(__file__).parent.glob("data-*.tar.xz"))
"""The versions of which a data folder is kept."""
COMMANDS = (
    ("connections",),
    ("export", "Shop", "pets"),
    ("changes", "Shop"),
    ("report", "Shop", "--week", "this", "--out", "{folder}/report.pdf"),
    ("stock", "Shop", "1004", "+1"),
    ("import", "Shop", "pets", "{folder}/none.csv", "--yes"),
    ("sync", "Shop"),
    ("doctor", "Shop"),
    ("connect", "Other", "--url", "http://127.0.0.1:9/v1"),
    ("forget", "Shop", "--yes"),
    (),
    ("--connection", "Shop"),
)


def content(folder: Path) -> dict[str, str]:
    """Every file of a folder with a digest of its bytes, and every folder."""
    return {
        str(path.relative_to(folder)): "" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_dir() or path.is_file()
    }


def column(program: Opened, title: str) -> list[str]:
    """The texts of a column of the stock."""
    return [cells[title] for cells in program.ask("cells", "inventory").values()]


def later(*arguments: str) -> subprocess.Popen[str]:
    """Start a later program."""
    call = [sys.executable, "-m", "tests.support.later_program", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(call, cwd=ROOT, env=environment("any-key"), text=True, **pipes)


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that a later program has upgraded, journal and mirror, and a killed one left with logs."""
    data = unpack(OLDER[-1], tmp_path_factory.mktemp("upgraded"))
    program = later("--data-dir", str(data))
    try:
        until(lambda: version(data, "journal") == 1 + len(journal.KIND.steps), "the journal is upgraded")
        until(lambda: version(data, "mirror") == SCHEMA_VERSION, "and the mirror, which comes after it")
    finally:
        program.kill()
        program.communicate()
    for left in [*data.rglob("*-shm"), data / "window.socket"]:
        left.unlink()
    return data


@pytest.fixture
def newer(upgraded: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(upgraded, tmp_path / "data", copy_function=shutil.copy2)


def version(data: Path, name: str) -> int:
    """The version that a database's log says, read in a copy."""
    try:
        with copied(data / "connections" / "shop" / f"{name}.db") as copy, closing(connect(copy, 2)) as connection:
            return connection.pragma("user_version")
    except Exception:  # noqa: BLE001 -- it is written meanwhile
        return -1


# ---------------------------------------------------------------- older


def test_a_data_folder_of_this_version_is_kept() -> None:
    assert __version__ in OLDER, "make one with `python -m tests.support.data_of_version`"


@pytest.mark.parametrize("version", OLDER)
def test_a_folder_of_an_older_version_is_opened_with_everything_in_it(version: str, tmp_path: Path) -> None:
    data = unpack(version, tmp_path)
    with closing(PastReader(Places(data).history("shop"))) as past:
        assert THEIRS in [change.after for change in past.changes_between(0, 1e12)], "what another desk changed"
    with Opened(data, "--connection", "Shop", key="any-key") as program:
        until(lambda: program.ask("known", "pets") == PETS, "all pets are there")
        assert THEIRS in program.ask("everything")
        until(lambda: program.ask("drafts") == {"new-pet": DRAFT}, "the half-filled form is there")
        program.ask("press", "Alt+I")
        until(lambda: program.ask("rows", "inventory"), "the stock is shown")
        until(lambda: {"41", "42"} <= set(column(program, "In stock")), "what was not sent")
        assert not program.ask("sent_all")
        until(lambda: column(program, "Minimum").count("7") == 1, "the minimum")
        program.ask("scan", f"{CODE}\n")
        until(lambda: any(THEIRS in text for text in program.ask("everything")), "the code is known")
        assert not program.ask("widget", "whichPet")
        program.ask("choose", "Shop", "Changes")
        until(lambda: any("Status" in row for row in program.ask("all_cells", "changesView")), "what was sent")
    exported = command("--data-dir", str(data), "export", "Shop", "pets")
    assert exported.returncode == 0
    assert THEIRS in exported.stdout
    assert not list(data.rglob("*.damaged-*"))


def test_a_folder_without_a_version_is_copied_before_it_is_marked(tmp_path: Path) -> None:
    data = unpack(OLDER[-1], tmp_path)
    (data / "data-version.json").unlink()
    before = {name: digest for name, digest in content(data).items() if name.endswith(".json")}
    upgrade(data)
    assert before == {
        name: digest for name, digest in content(data / f"before-v{data_folder.VERSION}").items() if digest
    }
    assert json.loads((data / "data-version.json").read_text())["version"] == data_folder.VERSION


def test_a_later_program_copies_what_it_upgrades(newer: Path) -> None:
    kept = content(newer)
    assert f"before-v{LATER}/preferences.json" in kept
    assert f"before-v{LATER}/connections/shop/contract.json" in kept
    copy = newer / "connections" / "shop" / f"journal.db.before-v{1 + len(journal.KIND.steps)}"
    with closing(connect(copy, 1)) as connection:
        assert connection.pragma("user_version") == len(journal.KIND.steps)
        assert connection.execute("SELECT count(*) FROM open_change").fetchone() == (2,)


# ---------------------------------------------------------------- later


def test_a_folder_of_a_later_version_is_told_and_not_touched(newer: Path, tmp_path: Path) -> None:
    before = content(newer)
    for words in COMMANDS:
        given = [word.format(folder=tmp_path) for word in words]
        done = command("--data-dir", str(newer), *given, key="any-key")
        assert done.returncode == 1, words
        assert "was written by a later version of this program; nothing was changed" in done.stderr, words
        assert content(newer) == before, words


def test_a_journal_of_a_later_version_alone_is_told_and_not_touched(newer: Path) -> None:
    """As after a folder was put together from two copies."""
    (newer / "data-version.json").unlink()
    folder = newer / "connections" / "shop"
    before = {path.name: path.read_bytes() for path in folder.glob("journal.db*")}
    with Opened(newer, "--connection", "Shop", key="any-key") as program:
        until(lambda: any("later version" in text for text in program.ask("everything")), "it is told")
        until(lambda: program.ask("known", "pets") == PETS, "the list is shown all the same")
        until(lambda: program.ask("known", "inventory"), "and so is what is not on the screen")
    assert before == {path.name: path.read_bytes() for path in folder.glob("journal.db*")}


def test_the_demo_shop_of_a_later_version_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "demo-shop"
    folder.mkdir(parents=True)
    (folder / "data-version.json").write_text(json.dumps({"version": LATER}))
    done = command("--data-dir", str(tmp_path / "data"), "--demo")
    assert done.returncode == 1
    assert "later version" in done.stderr
    assert content(folder).keys() == {"data-version.json"}


# ---------------------------------------------------------------- two at once


def test_an_older_program_brings_the_window_of_a_later_one_to_the_front(tmp_path: Path) -> None:
    data = unpack(OLDER[-1], tmp_path)
    program = later("--data-dir", str(data))
    try:
        until(lambda: (data / f"before-v{LATER}").is_dir(), "it has upgraded the folder")
        until(lambda: (done := command("--data-dir", str(data))).returncode == 0 and done.stderr, "it answers")
        again = command("--data-dir", str(data))
        assert "already running; its window was brought to the front" in again.stderr
        refused = command("--data-dir", str(data), "stock", "Shop", "1004", "+1")
        assert "later version" in refused.stderr
        assert program.poll() is None
    finally:
        program.kill()
        program.communicate()
    assert "later version" in command("--data-dir", str(data)).stderr


def test_a_later_program_upgrades_nothing_while_an_older_one_runs(tmp_path: Path) -> None:
    """Two programs at once, of two versions."""
    data = unpack(OLDER[-1], tmp_path)
    with Opened(data, "--connection", "Shop", key="any-key") as program:
        until(lambda: program.ask("known", "pets") == PETS, "all pets are there")
        other = later("--data-dir", str(data))
        until(lambda: program.ask("titles") and other.poll() is not None, "the later one ends")
        said = other.communicate()[1]
        assert "already running; its window was brought to the front" in said
        assert json.loads((data / "data-version.json").read_text())["version"] == data_folder.VERSION
        assert not (data / f"before-v{LATER}").exists()


# ---------------------------------------------------------------- kills, full disks

KILLED = """
import os, signal, sys
from pathlib import Path
from petstore_desktop import data_folder
from tests.support.later_program import be_later
be_later()
left = int(sys.argv[2])
for name in ("write_whole", "make_private_directory"):
    def counted(*given, real=getattr(data_folder, name)):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given)
    setattr(data_folder, name, counted)
data_folder.upgrade(Path(sys.argv[1]))
"""


def test_a_kill_at_any_step_of_the_copy_leaves_a_folder_that_both_versions_open(tmp_path: Path) -> None:
    data = unpack(OLDER[-1], tmp_path)
    before = {name: digest for name, digest in content(data).items() if name != "data-version.json"}
    killed = 0
    for step in range(40):
        done = subprocess.run([sys.executable, "-c", KILLED, str(data), str(step)], cwd=ROOT, check=False)
        now = {name: digest for name, digest in content(data).items() if not name.startswith("before-")}
        now.pop("data-version.json")
        assert {name: digest for name, digest in now.items() if not name.startswith(".data-version")} == before
        if done.returncode == 0:
            break
        assert done.returncode == -9
        killed += 1
        data_folder.refuse_newer(data)  # raises where it is marked too early
    assert killed > 6
    with pytest.raises(StorageError, match="too-new"):
        data_folder.refuse_newer(data)
    copied = {name: digest for name, digest in content(data / f"before-v{LATER}").items() if digest}
    assert copied.items() <= {**before, **copied}.items()
    wanted = {name for name in before if name.endswith(".json")} | {"data-version.json"}
    assert copied.keys() == wanted


STEPS = (("CREATE TABLE note (text TEXT NOT NULL) STRICT",), ("ALTER TABLE note ADD COLUMN more TEXT",))
APPLICATION = 0x4E4F5445
OPENED = f"""
import sys
from pathlib import Path
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
sys.stdout.write("now\\n"); sys.stdout.flush()
Database(Path(sys.argv[1]), DatabaseKind({APPLICATION}, {STEPS!r})).close()
"""


def test_a_database_is_whole_whenever_its_upgrade_is_killed(tmp_path: Path) -> None:
    """Only a process can be killed."""
    path = tmp_path / "notes.db"
    database, rows = Database(path, DatabaseKind(APPLICATION, STEPS[:1])), 100
    with database.transaction() as connection:
        connection.executemany("INSERT INTO note VALUES (?)", [(os.urandom(50_000).hex(),) for _ in range(rows)])
    database.close()
    killed = 0
    for wait_ms in (0, 2, 4, 8, 16, 30, 90):
        program = subprocess.Popen(
            [sys.executable, "-c", OPENED, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert program.stdout is not None
        program.stdout.readline()
        try:
            program.wait(wait_ms / 1000)
        except subprocess.TimeoutExpired:
            program.kill()
            killed += 1
        program.communicate()
        with closing(connect(path, 2)) as connection:
            version = connection.pragma("user_version")
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("SELECT count(*) FROM note").fetchone() == (rows,)
        if version == len(STEPS):
            break
    assert killed
    whole = Database(path, DatabaseKind(APPLICATION, STEPS))
    assert whole.number("SELECT count(*) FROM note WHERE more IS NULL") == rows
    whole.close()
    with closing(connect(path.with_name("notes.db.before-v2"), 1)) as copy:
        assert copy.execute("SELECT count(*) FROM note").fetchone() == (rows,)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A data folder on a disk without room."""
    with small_disk(tmp_path / "disk") as disk:
        disk.need()
        data = unpack(OLDER[-1], disk.folder)
        disk.fill()
        yield data
        disk.empty()


def test_an_upgrade_on_a_full_disk_says_so_and_changes_nothing(full: Path) -> None:
    before = content(full)
    done = later("--data-dir", str(full), "sync", "Shop")
    said = done.communicate(timeout=PATIENCE_S)[1]
    assert done.returncode == 1
    assert "The disk is full" in said or "disk is full" in said, said
    running = {"running.lock"}
    assert {name: digest for name, digest in content(full).items() if name not in running} == before
    (full.parent / "ballast").unlink()
    upgraded = later("--data-dir", str(full), "connections")
    upgraded.communicate(timeout=PATIENCE_S)
    assert upgraded.returncode == 0


STEPS_OF = {1: (7, 7, 12, 1, 2, 1), 2: (7, 7, 13, 1, 2, 1)}
"""For each version of the data folder how many steps its databases have seen."""


def test_a_new_step_of_a_database_is_a_new_version_of_the_folder() -> None:
    """If this fails, raise `data_folder.VERSION` and add a line above: else an older program would not see it."""
    kinds = (journal.KIND, archive._KIND, mirror.KIND, history.KIND, gates._KIND, request_log._KIND)
    assert STEPS_OF[data_folder.VERSION] == tuple(len(kind.steps) for kind in kinds)
    assert set(STEPS_OF) == set(range(1, data_folder.VERSION + 1))


def test_the_folder_that_is_kept_is_what_the_program_makes_today(tmp_path: Path) -> None:
    made = {name.split("-")[0] for name in content(make(tmp_path)) if not name.endswith(("-shm", ".lock"))}
    kept = {name.split("-")[0] for name in content(unpack(OLDER[-1], tmp_path / "kept"))}
    assert kept <= made
