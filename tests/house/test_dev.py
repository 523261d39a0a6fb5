"""The developer's command says what it does and refuses what it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import dev
import machine
from tests.house.trees import ROOT, python


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(f"  {name} " in said for name in dev.COMMANDS)


@pytest.mark.parametrize("argv", [[], ["ship"], ["longer"]])
def test_wrong_usage_is_exit_code_2_before_anything_is_set_up(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(argv) == 2
    assert "packaging/dev.py COMMAND" in capsys.readouterr().err


def test_an_unknown_bench_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.bench(["no-such-bench"]) == 2
    assert "bench takes one of" in capsys.readouterr().err


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What `dev.py` would run; a run of the mutants ends by a signal."""
    commands: list[list[str]] = []

    def call(*command: str | Path, env: dict[str, str] | None = None) -> int:
        commands.append([str(part) for part in command[2:]])
        return -9 if "tests.long.mutants" in commands[-1] else 0

    monkeypatch.setattr(dev, "call", call)
    return commands


def test_an_unknown_long_run_is_exit_code_2_and_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        dev.long(["no-such-run"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "gate" in said
    assert "mutants" in said


def test_a_long_run_passes_on_what_it_is_told(called: list[list[str]]) -> None:
    assert dev.long(["gate", "--minutes", "3", "--full", "--seed", "7"]) == 0
    assert dev.long(["gate"]) == 0
    assert dev.long(["mutants", "--only", "api/gate/machine"]) == 1
    assert called == [
        ["tests.long.gate", "--minutes", "3", "--full", "--seed", "7"],
        ["tests.long.gate", "--minutes", "20"],
        ["tests.long.mutants", "--minutes", "20", "--only", "api/gate/machine"],
    ]


def test_all_long_runs_share_the_minutes_and_one_that_fails_fails_the_whole(called: list[list[str]]) -> None:
    assert dev.long(["--minutes", "9"]) == 1
    names = [command[0] for command in called]
    assert {"tests.long.gate", "tests.long.mutants"} <= set(names)
    assert [command[1:] for command in called] == [["--minutes", f"{9 / len(names):g}"] for name in names]


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        (["gate"], 0, "long passed\n"),
        (["prism"], 1, "long: nothing was proved; not run: prism\n"),
        ([], 1, "long failed: mutants; not run: prism\n"),
    ],
)
def test_a_long_run_for_which_something_is_missing_is_named_and_never_passed(
    asked: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = {"tests.long.prism": dev.NOT_RUN, "tests.long.mutants": 1}
    monkeypatch.setattr(dev, "call", lambda *command, **_: codes.get(command[2], 0))
    assert dev.long(asked) == code
    assert capsys.readouterr().out == said
    codes.pop("tests.long.mutants")
    assert dev.long([]) == 0
    assert capsys.readouterr().out == "long passed; not run: prism\n"


def test_a_sampled_long_run_of_the_gate_prints_its_seed_and_its_counts() -> None:
    ran = python(ROOT, "-m", "tests.long.gate", "--minutes", "0.01", "--seed", "7")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "seed 7" in ran.stdout
    assert "steps" in ran.stdout
    assert "paused" in ran.stdout


def test_pytest_of_a_python_without_what_the_tests_need_says_what_to_run() -> None:
    start = "import sys; sys.modules['PySide6'] = None; import pytest; pytest.main(['--collect-only', 'tests/domain'])"
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", start], cwd=ROOT, env=alone, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout + done.stderr == "this Python lacks PySide6: run python3 packaging/dev.py test\n"


def test_without_another_build_of_python_it_is_said_that_nothing_was_run_with_it(
    called: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (tmp_path, dev.python().parent):
        monkeypatch.setenv("PATH", str(folder))
        assert dev.second([]) == 0
        assert "second: not run" in capsys.readouterr().out
    assert called == []


def test_another_build_of_python_runs_the_tests_of_broken_connections(
    called: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    builds = {"own": ("kind", "1"), "strange": ("another", "2"), "same": ("kind", "1"), "other": ("kind", "3")}
    for name in builds:
        (tmp_path / name).mkdir()
        (tmp_path / name / "python3").touch()

    def build_of(interpreter: Path) -> tuple[str, str, str]:
        kind, build = builds[interpreter.parent.name]
        return kind, "/packages", build

    monkeypatch.setattr(dev, "build_of", build_of)
    monkeypatch.setattr(dev, "python", lambda: tmp_path / "own" / "python3")
    monkeypatch.setattr(dev.os, "get_exec_path", lambda: [str(tmp_path / name) for name in builds])
    assert dev.second([]) == 0
    assert capsys.readouterr().out == "second: Python 3\n"
    assert called == [["pytest", "-q", *dev.BROKEN]]
    assert all((ROOT / path).exists() for path in dev.BROKEN)


def test_another_pin_is_another_environment(tmp_path: Path) -> None:
    pin = tmp_path / "runtime.txt"
    pin.write_text("httpx==0.28.1\n", "utf-8")
    before = dev.fingerprint((pin,))
    assert dev.fingerprint((pin,)) == before
    pin.write_text("httpx==0.28.2\n", "utf-8")
    assert dev.fingerprint((pin,)) != before


class Environments:
    """What `dev.setup` does to an environment in a folder of its own: the commands that it would run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.venv, self.commands, self.tools = folder / ".venv", list[list[str]](), list[bool]()
        monkeypatch.setattr(dev, "VENV", self.venv)
        monkeypatch.setattr(dev, "STAMP", self.venv / "installed-pins.txt")
        monkeypatch.setattr(dev, "must", self._must)
        monkeypatch.setattr(dev, "python_works", lambda: dev.python().exists())
        monkeypatch.setattr(machine, "ensure_system_packages", lambda *, tools: self.tools.append(tools))

    def _must(self, command: list[str]) -> None:
        self.commands.append(command)
        if "venv" in command:
            dev.python().parent.mkdir(parents=True, exist_ok=True)
            dev.python().touch()

    def set_up(self, pins: tuple[Path, ...]) -> str:
        """What was done, as words."""
        del self.commands[:], self.tools[:]
        dev.setup(pins)
        made = ["made"] * any("--clear" in command for command in self.commands)
        files = [Path(part[2:]).stem for command in self.commands for part in command if part.startswith("-r")]
        return " ".join([*made, *files, *("tools" for one in self.tools if one)])


@pytest.fixture
def environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environments:
    return Environments(tmp_path, monkeypatch)


def test_running_installs_no_tools_and_tests_add_them_to_what_is_there(environments: Environments) -> None:
    assert environments.set_up(dev.RUNNING) == "made runtime install"
    assert environments.set_up(dev.RUNNING) == ""
    assert environments.set_up(dev.WORKING) == "runtime install dev tools"
    assert environments.set_up(dev.RUNNING) == environments.set_up(dev.WORKING) == ""


def test_an_environment_of_older_pins_is_brought_up_to_date_and_one_of_another_place_made_anew(
    environments: Environments,
) -> None:
    environments.set_up(dev.WORKING)
    dev.STAMP.write_text(f"older {dev.ROOT}\n", "utf-8")
    assert environments.set_up(dev.WORKING) == "runtime install dev tools"
    dev.STAMP.write_text("older /elsewhere\n", "utf-8")
    assert environments.set_up(dev.WORKING) == "made runtime install dev tools"


def test_an_environment_behind_a_link_is_never_touched(
    environments: Environments, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environments.set_up(dev.RUNNING)
    environments.venv.rename(tmp_path / "theirs")
    environments.venv.symlink_to(tmp_path / "theirs")
    (tmp_path / "theirs" / "installed-pins.txt").write_text("older pins\n", "utf-8")
    assert environments.set_up(dev.WORKING) == ""
    assert ".venv is a link: its packages are used as they are" in capsys.readouterr().err
    dev.python().unlink()
    with pytest.raises(machine.SetupError, match="no Python works"):
        environments.set_up(dev.WORKING)


def test_the_wheel_holds_the_package_and_its_resources(tmp_path: Path) -> None:
    built = python(ROOT, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path))
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    resources = (file.relative_to(ROOT / "resources") for file in (ROOT / "resources").rglob("*") if file.is_file())
    wanted = {f"petstore_desktop/_resources/{file.as_posix()}" for file in resources}
    assert wanted <= names
    assert "petstore_desktop/__init__.py" in names
    assert not any(name.startswith(("tests", "packaging")) for name in names)
