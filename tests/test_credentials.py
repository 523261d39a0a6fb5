"""The key is in the system's keyring or nowhere; a keyring that misbehaves costs at most its bound.

Processes of their own: what goes on after the answer was given up, and what is left over of a program that was killed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop import credentials
from tests.program.running import command_here, until
from tests.support import credentials_child
from tests.support.keyring_daemon import KeyringSession
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT

CANARY = "canary-key-3f9c17"
IDENTITY = "shop https://shop.example/v1"
BOUND_S = 3.0


def call(
    session: KeyringSession, action: str, key: str = "", *more: str, bound_s: float = PATIENCE_S
) -> dict[str, Any]:
    given = (action, IDENTITY, str(bound_s), *more)
    done = command_here(*given, environment=session.environment, stdin=key.encode(), program=credentials_child.main)
    assert done.stderr == b""
    assert done.returncode == 0
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def keyring() -> Iterator[KeyringSession]:
    with KeyringSession() as session:
        session.start_keyring()
        yield session


def test_a_key_is_kept_found_by_the_next_process_and_forgotten(keyring: KeyringSession) -> None:
    assert call(keyring, "read")["result"] is None
    assert "error" not in call(keyring, "keep", CANARY)
    assert call(keyring, "read")["result"] == CANARY
    assert "error" not in call(keyring, "keep", "another-key")
    assert call(keyring, "read")["result"] == "another-key"
    assert "error" not in call(keyring, "forget")
    assert call(keyring, "read")["result"] is None
    assert "error" not in call(keyring, "forget")  # none kept is fine


def test_a_backend_that_writes_keys_to_a_file_is_never_chosen(keyring: KeyringSession, tmp_path: Path) -> None:
    written = tmp_path / "written"
    written.mkdir()
    planted = (str(written), str(tmp_path / "site"))
    assert "error" not in call(keyring, "keep", CANARY, *planted)
    assert call(keyring, "read")["result"] == CANARY
    assert list(written.iterdir()) == []
    with KeyringSession(bus=False) as nothing:
        assert call(nothing, "keep", CANARY, *planted)["error"] == "keyring-absent"
        assert call(nothing, "read", "", *planted)["error"] == "keyring-absent"
    assert list(written.iterdir()) == []


def test_a_key_in_the_environment_stands_in_for_the_keyring_of_the_connection_it_is_meant_for() -> None:
    with KeyringSession(bus=False) as nothing:
        nothing.environment["PETSTORE_API_KEY"] = CANARY
        assert call(nothing, "read-given")["result"] == CANARY
        assert call(nothing, "read")["error"] == "keyring-absent", "it is the key of one connection, not of all"
        assert call(nothing, "keep", "other-key")["error"] == "keyring-absent"


def test_a_locked_keyring_is_named_as_such() -> None:
    with KeyringSession() as session:
        session.start_keyring()
        assert "error" not in call(session, "keep", CANARY)
        session.stop_keyring()
        session.start_keyring(unlocked=False)
        for action in ("read", "keep"):
            said = call(session, action, CANARY, bound_s=BOUND_S)
            # Nobody is there to type the password: the prompt is dismissed, or never comes.
            assert said["error"] in ("keyring-locked", "keyring-silent")


def test_a_key_that_was_said_not_to_be_kept_is_not_kept_later_either() -> None:
    with KeyringSession() as session:
        session.start_keyring()
        assert "error" not in call(session, "keep", CANARY)
        session.lock()
        session.hold_prompts()
        command = [sys.executable, "-m", "tests.support.credentials_child", "outlast", IDENTITY, str(BOUND_S)]
        with subprocess.Popen(
            command, cwd=ROOT, env=session.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write("another-key\n")
            child.stdin.flush()
            session.wait_for_prompt()
            assert child.stdout.readline().strip() == "keyring-silent"
            session.unlock()  # the person has come back to the keyring's question
            session.dismiss_prompts()
            child.stdin.write("\n")
            child.stdin.flush()
            assert child.stdout.readline().strip() == CANARY


def test_a_keyring_that_ends_while_it_is_asked_is_named_as_such() -> None:
    with KeyringSession() as session:
        session.own_the_name_and_say_nothing()
        command = [sys.executable, "-m", "tests.support.credentials_child", "outlast", IDENTITY, "10"]
        with subprocess.Popen(
            command, cwd=ROOT, env=session.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write("another-key\n")
            child.stdin.flush()
            session.end_when_asked()
            assert child.stdout.readline().strip() == "keyring-ended"
            child.kill()


def asking(session: KeyringSession) -> list[Path]:
    """The processes in /proc that ask the keyring of this session."""
    home, found = f"HOME={session.environment['HOME']}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            named = b"petstore_desktop.session.keyring_process" in (process / "cmdline").read_bytes()
            if named and home in (process / "environ").read_bytes().split(b"\0"):
                found.append(process)
    return found


def test_who_asks_the_keyring_is_told_the_key_in_a_pipe_and_does_not_outlive_the_program() -> None:
    with KeyringSession() as session:
        session.own_the_name_and_say_nothing()
        session.environment["PETSTORE_API_KEY"] = CANARY
        command = [sys.executable, "-m", "tests.support.credentials_child", "outlast", IDENTITY, "30"]
        with subprocess.Popen(command, cwd=ROOT, env=session.environment, stdin=subprocess.PIPE, text=True) as child:
            assert child.stdin is not None
            child.stdin.write("another-key\n")
            child.stdin.flush()
            (process,) = until(lambda: asking(session), "that the keyring is asked")
            for told in ("cmdline", "environ"):
                assert not any(key in (process / told).read_bytes() for key in (b"another-key", CANARY.encode()))
            child.kill()
            until(lambda: not asking(session), "that nobody asks any more")


def test_the_keys_of_a_connection_are_read_in_one_question(keyring: KeyringSession) -> None:
    assert "error" not in call(keyring, "keep", CANARY)
    assert call(keyring, "read-more")["result"] == [CANARY, None, CANARY]
    keyring.environment["PETSTORE_API_KEY"] = "given-key"
    try:
        assert call(keyring, "read-given")["result"] == "given-key"
        assert call(keyring, "read-more-given")["result"] == ["given-key", None, CANARY]
    finally:
        del keyring.environment["PETSTORE_API_KEY"]


def test_a_bundle_asks_the_keyring_through_its_own_command_line(keyring: KeyringSession, tmp_path: Path) -> None:
    assert "error" not in call(keyring, "keep", CANARY)
    bundle = tmp_path / "petstore-desktop"
    bundle.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m petstore_desktop "$@"\n')
    bundle.chmod(0o700)
    keyring.environment["BUNDLE"] = str(bundle)
    try:
        assert call(keyring, "read")["result"] == CANARY
    finally:
        del keyring.environment["BUNDLE"]


@pytest.mark.parametrize("program", ["nowhere", "/bin/false"])
def test_a_question_that_cannot_be_put_is_an_error_of_the_keyring(keyring: KeyringSession, program: str) -> None:
    keyring.environment["BUNDLE"] = program
    try:
        assert call(keyring, "keep", CANARY)["error"] == (
            "keyring-refused" if program == "nowhere" else "keyring-ended"
        )
    finally:
        del keyring.environment["BUNDLE"]


def test_a_keyring_that_is_unlocked_in_time_takes_the_key() -> None:
    with KeyringSession() as session:
        session.start_keyring()
        assert "error" not in call(session, "keep", CANARY)
        session.lock()
        session.hold_prompts()
        command = [sys.executable, "-m", "tests.support.credentials_child", "outlast", IDENTITY, "10"]
        with subprocess.Popen(
            command, cwd=ROOT, env=session.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write("another-key\n\n")
            child.stdin.flush()
            session.wait_for_prompt()
            session.unlock()
            session.dismiss_prompts()
            assert child.stdout.readline().strip() == ""
            assert child.stdout.readline().strip() == "another-key"


@pytest.mark.parametrize("action", ["read", "keep", "forget"])
def test_a_keyring_that_never_answers_costs_no_more_than_the_bound(action: str) -> None:
    with KeyringSession() as session:
        session.own_the_name_and_say_nothing()
        said = call(session, action, CANARY, bound_s=0.7)
        assert said["error"] == "keyring-silent"
        assert said["seconds"] > 0.6
        until(lambda: not asking(session), "that nobody asks any more")
    assert credentials.BOUND_S == 5.0


def test_a_computer_that_is_slow_to_start_who_asks_is_no_silent_keyring(
    keyring: KeyringSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five seconds are the keyring's, and count from when it is asked."""
    (tmp_path / "sitecustomize.py").write_text(f"import time\ntime.sleep({BOUND_S + 0.5})\n")
    monkeypatch.setitem(keyring.environment, "PYTHONPATH", str(tmp_path))
    assert "error" not in call(keyring, "keep", CANARY, bound_s=BOUND_S)
    assert call(keyring, "read", bound_s=BOUND_S)["result"] == CANARY
