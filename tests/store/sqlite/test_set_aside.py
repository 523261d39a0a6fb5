"""A damaged file is set aside once: of two programs that meet it, neither renames what the other has made in its
place."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.data_folder import identity_of, set_aside
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import GatePhase, GateSnapshot
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.store import gates as gates_file
from petstore_desktop.store.codes import read_codes, write_codes
from petstore_desktop.store.gates import Gates
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
from petstore_desktop.store.sqlite.typed_apsw import Connection

ROOT = Path(__file__).parents[3]
STEPS = (("CREATE TABLE note (text TEXT)",),)
NOTES = DatabaseKind(application_id=77, steps=STEPS)
ROUNDS = 14
OPENERS = 4

OPEN = """
import sys, time
from pathlib import Path
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store.{module} import {name}
print("ready", flush=True)
for path in sys.stdin:
    time.sleep({after})
    try:
        opened = {name}(Path(path.strip()))
    except StorageError as error:
        assert error.code == "locked", error.code
    else:
        opened.close()
    print("over", flush=True)
"""
"""One program, which opens each file that it is told; `after`: seconds after the sign, from 0 to 0.06."""
KINDS = {
    "journal.db": ("journal.journal", "Journal"),
    "mirror.db": ("mirror.mirror", "Mirror"),
    "gates.db": ("gates", "Gates"),
}


def kept(path: Path) -> list[Path]:
    return [one for one in path.parent.glob(f"{path.name}.damaged-*") if not one.name.endswith(("-wal", "-shm"))]


@pytest.fixture(params=KINDS)
def programs(request: pytest.FixtureRequest) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Which file, and several programs that open it: locks of one process would not keep its own threads apart."""
    module, opener = KINDS[request.param]
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN.format(module=module, name=opener, after=number * 0.06 / OPENERS)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(OPENERS)
    ]
    yield request.param, programs
    for program in programs:
        program.communicate()
        assert program.returncode == 0


def test_programs_that_open_one_damaged_database_at_once_set_it_aside_once(programs, tmp_path):
    """As it was found: two openings within 60 ms renamed the journal that the first had made, 1 time in 14."""
    name, running = programs
    for program in running:
        assert program.stdout.readline() == "ready\n"
    for round_ in range(ROUNDS):
        path = tmp_path / str(round_) / name
        path.parent.mkdir()
        path.write_bytes(b"no database" * 1_000)
        for program in running:
            program.stdin.write(f"{path}\n")
            program.stdin.flush()
        for program in running:
            assert program.stdout.readline() == "over\n"
        assert [one.read_bytes()[:11] for one in kept(path)] == [b"no database"]


def test_what_another_program_made_in_the_place_of_a_damaged_database_stays(tmp_path):
    """The second finds the damage, the first sets it aside and makes a new one, and only then the second goes on."""
    path = tmp_path / "notes.db"
    write(path, "damaged")
    first = threading.Thread(
        target=lambda: write(path, "saved by the first", kind=judged(lambda text: "damaged" in text))
    )

    def second_judges(text: str) -> bool:
        if "damaged" not in text:
            return False
        first.start()
        first.join(2.0)  # it may have to wait until nobody looks at the file any more
        return True

    second = Database(path, judged(second_judges))
    first.join()
    with second.reading() as connection:
        assert connection.execute("SELECT text FROM note").fetchall() == [("saved by the first",)]
    second.close()
    assert len(kept(path)) == 1


def test_a_gate_that_opens_the_file_beside_its_rescue_finds_every_pause(tmp_path, monkeypatch):
    patient = replace(gates_file._KIND, busy_ms=60_000)  # one that waits in vain on a slow machine is told so
    monkeypatch.setattr(gates_file, "_KIND", patient)
    path = tmp_path / "gates.db"
    gates = Gates(path)
    paused = GateSnapshot(GatePhase.PAUSED, "boot", 5.0, 50.0, 5.0, 45.0, "{}")
    name = gates.fingerprint("key")
    gates.save("https://shop.example", name, paused)
    gates.close()
    content = bytearray(path.read_bytes())
    content[68:72] = b"\0\0\0\1"  # its application_id is another program's
    found = list[tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]]()
    for _ in range(ROUNDS):
        for part in path.parent.iterdir():
            part.unlink()
        path.write_bytes(content)

        def look() -> None:
            opened = Gates(path)
            found.append(opened.load("https://shop.example", opened.fingerprint("key")))
            opened.close()

        threads = [threading.Thread(target=look) for _ in range(OPENERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == ROUNDS * OPENERS
    assert all(mine is not None or pauses for mine, pauses in found)


def test_only_the_file_that_was_looked_at_is_set_aside(tmp_path):
    path, whole = tmp_path / "codes.json", tmp_path / "whole"
    path.write_bytes(b"damaged")
    looked_at = identity_of(path)
    whole.write_bytes(b"whole")
    whole.replace(path)
    assert set_aside(path, looked_at) is None
    assert (path.read_bytes(), kept(path)) == (b"whole", [])
    assert set_aside(path, identity_of(path)) is not None
    assert (path.exists(), [one.read_bytes() for one in kept(path)]) == (False, [b"whole"])


@pytest.mark.parametrize("what", ["codes", "preferences"])
def test_a_file_that_was_written_anew_while_it_was_judged_stays(tmp_path, what):
    """A file of settings is damaged, another program writes a whole one, and only then the first sets it aside."""
    path = tmp_path / f"{what}.json"
    for _ in range(ROUNDS):
        path.write_bytes(b"damaged")
        done = threading.Barrier(2)

        def write_anew(done: threading.Barrier) -> None:
            done.wait()
            if what == "codes":
                write_codes(path, Codes({"4006381333931": (7,)}))
            else:
                PreferenceStore(path).save(
                    Preferences(connections=(ShopConnection("Zoo", "zoo", "https://zoo.example"),))
                )

        writer = threading.Thread(target=write_anew, args=(done,))
        writer.start()
        done.wait()
        with suppress(StorageError):
            read_codes(path) if what == "codes" else PreferenceStore(path).load()
        writer.join()
        assert path.exists()
        assert all(one.read_bytes() == b"damaged" for one in kept(path))


def write(path: Path, text: str, kind: DatabaseKind = NOTES) -> None:
    database = Database(path, kind)
    with database.transaction() as connection:
        connection.execute("INSERT INTO note VALUES (?)", (text,))
    database.close()


def judged(is_damaged: Callable[[str], bool]) -> DatabaseKind:
    """Notes of which a row tells whether the database is damaged."""

    def audit(connection: Connection) -> None:
        texts: list[Any] = [row[0] for row in connection.execute("SELECT text FROM note")]
        if is_damaged(" ".join(texts)):
            raise ValueError("damaged")

    return DatabaseKind(application_id=77, steps=STEPS, audit=audit)
