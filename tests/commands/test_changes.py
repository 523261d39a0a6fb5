"""`changes NAME`: what was done here, and what was seen to change."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.commands.changes import moment_of
from tests.commands.test_import import connected, imported, renaming
from tests.program.running import ROOT, Running, command, environment
from tests.support.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=60) as shop:
        yield shop


@pytest.fixture(scope="module")
def data(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three own changes and one of a colleague."""
    folder = tmp_path_factory.mktemp("changes")
    data = connected(folder / "data", shop)
    file, names = renaming(shop, folder / "pets.csv", "Done here", 3)
    assert imported(data, file, "--yes", key=shop.key).returncode == 0
    other = max(row[0] for row in shop.rows("SELECT id FROM pets"))
    assert other not in names
    shop.control("rows", pets=[{"id": other, "name": "By a colleague\x1b[31m"}])
    assert command("--data-dir", str(data), "sync", "Shop", key=shop.key).returncode == 0
    return data


def changes(data: Path, *options: str) -> Any:
    return command("--data-dir", str(data), "changes", "Shop", *options)


def test_what_was_done_and_what_was_seen_with_no_request_and_no_file_left(shop: Shop, data: Path) -> None:
    before = len(shop.log_lines())
    said = json.loads(changes(data, "--json").stdout)
    assert list(said) == ["connection", "since", "done", "seen", "unknown"]
    assert [one["state"] for one in said["done"]] == ["done"] * 3
    assert {one["source"] for one in said["done"]} == {"script:pets.csv"}
    others = [one for one in said["seen"] if one["who"] == "elsewhere"]
    assert [one["new"] for one in others if one["field"] == "name"] == ["By a colleague\x1b[31m"]
    done = changes(data)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr, len(lines)) == (0, "", 3 + len(others))
    assert "elsewhere" in lines[0]
    assert "\x1b" not in done.stdout
    assert "Done here" in lines[-1]
    assert lines[-1].endswith("(done)")
    assert len(shop.log_lines()) == before
    assert not list(data.rglob("reading-*"))


def test_since_leaves_out_what_is_older(data: Path) -> None:
    assert changes(data, "--since", "2099-01-01").stdout == ""
    assert changes(data, "--since", "2w").stdout == changes(data).stdout
    for wrong in ("yesterday", "", "2026-13-01", "-1d"):
        done = changes(data, f"--since={wrong}")
        assert (done.returncode, done.stdout) == (2, ""), done.stderr


def test_beside_a_running_window(shop: Shop, data: Path) -> None:
    before = changes(data).stdout
    with Running(data, key=shop.key) as program:
        program.wait("rows", "pets")
        done = changes(data)
        assert (done.returncode, done.stdout) == (0, before), done.stderr


def test_a_reader_that_stops_early_ends_it_without_a_word(data: Path) -> None:
    for given in (["changes", "Shop"], ["changes", "Shop", "--json"], ["connections"]):
        with subprocess.Popen(
            [sys.executable, "-m", "petstore_desktop", "--data-dir", str(data), *given], cwd=ROOT,
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            process.stdout.close()
            assert process.stderr is not None
            assert process.stderr.read() == ""
        assert process.returncode in (0, 1)


def test_a_damaged_journal_is_said_and_left_as_it_is(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "data"
    shutil.copytree(data, copy, ignore=shutil.ignore_patterns("*.socket"))
    journal = copy / "connections" / "shop" / "journal.db"
    content = bytearray(journal.read_bytes())
    content[200:] = b"\1" * (len(content) - 200)
    journal.write_bytes(content)
    journal.with_name("journal.db-wal").unlink(missing_ok=True)
    done = changes(copy)
    assert (done.returncode, done.stdout) == (1, "")
    assert "`petstore-desktop sync`, or the window, sets it aside" in done.stderr
    assert journal.read_bytes() == content


def test_moments() -> None:
    now = 1_000_000_000.0
    assert moment_of("12h", now) == now - 43_200
    assert moment_of("7d", now) == now - 7 * 86_400
    assert moment_of("2026-11-20T08:00:00Z", now) == 1_795_161_600.0
    for wrong in ("", "x", "7", "7m", "٣d", "9999999d", "0000-01-01"):
        with pytest.raises(ValueError):
            moment_of(wrong, now)
