"""What the system lacks is installed by root, and named to everybody else; scripts play dpkg-query and apt-get."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import machine

EVERYTHING = [*machine.ESSENTIAL, *machine.WINDOW, *machine.FONTS, *machine.TOOLS]
MakeDebian = Callable[..., "Debian"]


class Debian:
    """A machine with these packages; what apt-get was asked for is in `asked`."""

    def __init__(self, folder: Path, installed: list[str]) -> None:
        self.calls = folder / "calls"
        self.calls.touch()
        lines = "".join(f"installed {name}\n" for name in installed)
        self._script(folder / "dpkg-query", f"cat <<'END'\n{lines}not-installed xvfb-gone\nEND\n")
        self._script(folder / "apt-get", f'echo "$*" >> "{self.calls}"\n')

    @staticmethod
    def _script(file: Path, body: str) -> None:
        file.write_text(f"#!/bin/sh\n{body}", "utf-8")
        file.chmod(0o755)

    @property
    def asked(self) -> list[str]:
        return self.calls.read_text("utf-8").splitlines()


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeDebian:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")  # house: platform - PATH is made of it
    monkeypatch.setattr(machine, "is_debian", lambda: True)

    def make(installed: list[str], *, root: bool) -> Debian:
        monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)  # house: platform - who runs it is the case
        return Debian(tmp_path, installed)

    return make


def without(*names: str) -> list[str]:
    return [name for name in EVERYTHING if name not in names]


def test_root_gets_exactly_what_is_missing(debian: MakeDebian) -> None:
    there = debian(without("libegl1", "xvfb"), root=True)
    machine.ensure_system_packages(tools=True)
    assert there.asked == ["update -qq", "-qq install -y --no-install-recommends libegl1 xvfb"]


def test_nothing_is_asked_for_where_nothing_is_missing(debian: MakeDebian) -> None:
    there = debian(EVERYTHING, root=True)
    machine.ensure_system_packages(tools=True)
    assert there.asked == []


def test_the_new_name_of_a_library_in_debian_13_counts(debian: MakeDebian) -> None:
    there = debian([*without("libglib2.0-0"), "libglib2.0-0t64"], root=True)
    machine.ensure_system_packages(tools=True)
    assert there.asked == []


def test_others_are_told_the_one_command_and_stop_where_qt_cannot_start(debian: MakeDebian) -> None:
    there = debian(without("libegl1"), root=False)
    with pytest.raises(machine.SetupError, match=r"Run: sudo apt-get install -y --no-install-recommends libegl1$"):
        machine.ensure_system_packages(tools=True)
    assert there.asked == []


def test_others_are_told_and_go_on_where_only_the_keyring_tests_would_miss_it(
    debian: MakeDebian, capsys: pytest.CaptureFixture[str]
) -> None:
    there = debian(without("gnome-keyring"), root=False)
    machine.ensure_system_packages(tools=True)
    assert "sudo apt-get install -y --no-install-recommends gnome-keyring" in capsys.readouterr().err
    assert there.asked == []


def test_running_the_program_asks_for_no_tool_of_tests(debian: MakeDebian, monkeypatch: pytest.MonkeyPatch) -> None:
    there = debian([], root=True)
    monkeypatch.setattr(machine, "has_fonts", lambda: True)
    machine.ensure_system_packages(tools=False)
    (_, install) = there.asked
    assert set(machine.ESSENTIAL) | set(machine.WINDOW) <= set(install.split())
    assert not {*machine.TOOLS, *machine.FONTS} & set(install.split())


def test_fonts_are_asked_for_where_there_is_none(debian: MakeDebian, monkeypatch: pytest.MonkeyPatch) -> None:
    there = debian(without(*machine.FONTS), root=True)
    monkeypatch.setattr(machine, "FONT_FOLDERS", ())
    machine.ensure_system_packages(tools=False)
    assert there.asked[1].split()[4:] == [*machine.FONTS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("ID=debian\n", True), ('ID=ubuntu\nID_LIKE="debian"\n', True), ("ID=fedora\n", False), ("", False)],
)
def test_debian_and_its_kin_are_recognised(text: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "os-release").write_text(text, "utf-8")
    assert machine.is_debian(tmp_path / "os-release") is (expected and bool(machine.shutil.which("dpkg-query")))
