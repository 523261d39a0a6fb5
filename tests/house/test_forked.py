"""A forked program is what a new interpreter would be: its arguments, files, environment and end are its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest

from tests.support.forked import NEW, Forked, start

PACKAGE = "petstore_desktop.demo"
SHOP = ("--announce-json", "--until-stdin-closes", "--key-stdin")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they are new interpreters")


@pytest.fixture
def shop() -> Iterator[Forked]:
    """A program that says a line when it has read one, and ends with its stdin."""
    process = start(PACKAGE, *SHOP, package=PACKAGE, stdin=PIPE, stdout=PIPE)
    assert isinstance(process, Forked)
    yield process
    for file in (process.stdin, process.stdout):
        file.close()
    process.wait()


def said(process: Forked) -> bytes:
    process.stdin.write(b"a key\n")
    process.stdin.flush()
    return process.stdout.readline()


def test_it_reads_and_writes_runs_and_ends_with_its_exit_code(shop: Forked) -> None:
    assert b'"url"' in said(shop)
    assert shop.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        shop.wait(0.01)
    shop.stdin.close()
    assert shop.wait() == 0
    assert shop.poll() == 0


def test_it_can_be_killed_and_says_by_what(shop: Forked) -> None:
    assert said(shop)
    shop.kill()
    assert shop.wait() == -9
    shop.kill()  # what has ended is let be


def test_many_run_beside_each_other_and_the_end_of_one_is_its_own() -> None:
    many = [start(PACKAGE, *SHOP, package=PACKAGE, stdin=PIPE, stdout=PIPE) for _ in range(3)]
    assert len({said(one) for one in many}) == 3
    many[1].kill()
    assert many[1].wait() == -9
    assert many[0].poll() is many[2].poll() is None
    for one in many:
        one.stdin.close()
    assert [one.wait() for one in many] == [0, -9, 0]
    for one in many:
        one.stdout.close()


def test_wrong_usage_has_the_exit_code_and_the_words_of_the_program(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out, (tmp_path / "errors").open("wb") as errors:
        process = start(PACKAGE, "--pets", "none", package=PACKAGE, stdin=DEVNULL, stdout=out, stderr=errors)
        assert process.wait() == 2
    assert "'none' is not a whole number" in (tmp_path / "errors").read_text("utf-8")


def test_its_environment_is_the_one_that_was_given(tmp_path: Path) -> None:
    given = {"HOME": str(tmp_path), "COLUMNS": "200", "PATH": "/nowhere"}
    with (tmp_path / "out").open("wb") as out:
        files = {"stdin": DEVNULL, "stdout": out}
        heeded = {name: said for name, said in os.environ.items() if name.startswith(("PYTHON", "LC_", "LANG", "LD_"))}
        process = start("tests.support.forked_child", package=PACKAGE, environment=given | heeded, **files)
        assert isinstance(process, Forked)
        assert process.wait() == 3
    lines = (tmp_path / "out").read_text("utf-8").split("\n\n")
    assert set(lines) == {f"{name}={said}" for name, said in (given | heeded).items()} | {""}


@pytest.mark.parametrize("more", [dict([NEW]), {"PYTHONUTF8": "1"}, {"LANG": "xx"}])
def test_what_only_a_new_interpreter_heeds_makes_one(more: dict[str, str]) -> None:
    nowhere = {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL}
    process = start("sys", package=PACKAGE, environment=os.environ | more, **nowhere)
    assert isinstance(process, subprocess.Popen)
    process.wait()
