"""The manual page and the completions have every word of the command line."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from deb import completion, manual
from deb.words import commands
from petstore_desktop.cli import COMMANDS

PRINT = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_petstore_desktop
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def bash(tmp_path: Path) -> Path:
    file = tmp_path / "completion.bash"
    file.write_text(completion.bash(), "utf-8")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "petstore-desktop"
    program.write_text("#!/bin/sh\nprintf 'My shop\\thttps://a\\nOther\\thttps://b\\n'\n")
    program.chmod(0o755)
    (tmp_path / "pets.csv").touch()
    (tmp_path / "pictures").mkdir()
    return file


def completed(bash: Path, *words: str) -> list[str]:
    """What Tab offers after these words, of which the last is being typed."""
    path = f"{bash.parent / 'bin'}:{os.environ['PATH']}"
    command = ["bash", "-c", PRINT, "-", str(bash), "petstore-desktop", *words]
    done = subprocess.run(
        command, cwd=bash.parent, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


def test_the_words_are_those_of_the_program_and_no_hidden_ones() -> None:
    program, *others = commands()
    assert [command.name for command in others] == list(COMMANDS)
    options = {name for word in program.options() for name in word.names}
    assert {"--demo", "--tour", "--data-dir"} <= options
    assert not {"--ask-keyring", "--rehearsal"} & options


def test_the_manual_page_has_every_command_and_option_with_its_words() -> None:
    page = manual.page("1.2.3", 1_764_000_000)
    assert '.TH PETSTORE-DESKTOP 1 2025-11-24 "petstore\\-desktop 1.2.3"' in page.replace("petstore-", "petstore\\-")
    for command in commands():
        part = page.partition(f".SS {command.name}\n".replace("-", r"\-"))[2] if command.name else page
        part = re.split(r"^\.SS ", part, maxsplit=1, flags=re.MULTILINE)[0]
        for word in command.words:
            assert all(rf"\fB{name}\fR".replace("-", r"\-") in part for name in word.names)
            assert word.says.replace("-", r"\-").replace("'", r"\(aq") in part
            assert word.says, f"{command.name}: {word}"


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["con"], ["connect", "connections"]),
        (["export", "--fo"], ["--format"]),
        (["export", "--format", ""], ["csv", "xlsx", "json"]),
        (["export", "M"], ["My\\ shop"]),
        (["export", "Other", "p"], ["pets"]),
        (["export", "--format", "csv", "Other", "inv"], ["inventory"]),
        (["import", "Other", "pets", "pe"], ["pets.csv"]),
        (["--tour", "pi"], ["pictures"]),
        (["--connection", "O"], ["Other"]),
        (["connect", "--url", ""], []),
        (["connect", "M"], []),
    ],
)
def test_tab_in_bash(words: list[str], offered: list[str], bash: Path) -> None:
    assert completed(bash, *words) == (offered or [""])


def test_bash_offers_every_command_and_all_of_its_options(bash: Path) -> None:
    for command in commands():
        offered = completed(bash, *([command.name] if command.name else []), "-")
        assert set(offered) == {word.names[-1] for word in command.options()}
    assert set(COMMANDS) <= set(completed(bash, ""))


def test_zsh_has_every_option_of_every_command() -> None:
    text = completion.zsh()
    for command in commands():
        part = text.partition(f"                {command.name}) _arguments")[2] if command.name else text
        for word in command.options():
            assert all(f"{name}[" in part.partition(" ;;")[0] for name in word.names), command.name
