"""The API key: in the system's keyring, never in a file.

A keyring may be absent, locked, or silent for ever (a Secret Service that owns its name and never answers), and its
libraries take memory that a window has other use for: each question is put to it by a process of its own
(`session.keyring_process`), which says when it begins to ask, is given 5 s from then on, and is then killed: a computer
that is slow to start it is no silent keyring. Who was told that it took too long was told that
nothing is kept: a keyring that is unlocked later writes nothing any more. Backends are chosen from an allow-list,
because some installable ones write the key to a plain file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict, cast

from petstore_desktop import log
from petstore_desktop.domain.errors import KeyringError
from petstore_desktop.platform_support import clean_environment, forget_secrets, secret_variable
from petstore_desktop.threads import begin

SERVICE = "petstore-desktop"
ENVIRONMENT = "PETSTORE_API_KEY"
BOUND_S = 5.0
"""The keyring is given so long to answer,"""
START_S = 60.0
"""and the process that asks it so long to start."""
BACKENDS = {
    "linux": ("keyring.backends.SecretService", "keyring.backends.libsecret", "keyring.backends.kwallet"),
    "darwin": ("keyring.backends.macOS",),
    "win32": ("keyring.backends.Windows",),
}
"""Modules of backends that keep secrets in the system's own store, by sys.platform."""
ALLOWED = frozenset(BACKENDS.get(sys.platform, BACKENDS["linux"]))
"""Those of this system: no other one is imported, which takes longer than the question."""

_Deed: TypeAlias = Literal["read", "keep", "forget"]


class KeyringOrder(TypedDict):
    """What to do with the keys of these `names`. `allowed`: the modules of the backends that may be asked."""

    do: _Deed
    service: str
    names: Sequence[str]
    allowed: Sequence[str]
    key: str


class KeyringAnswer(TypedDict, total=False):
    """The keys that were read, name by name; whether a kept key was read back; or a KeyringError's code and cause."""

    keys: list[str | None]
    kept: bool
    error: str
    detail: str


_done_without = threading.Event()


def do_without() -> None:
    """From now on this process has no keyring at all."""
    _done_without.set()
    forget_secrets()


def read(identity: str, bound_s: float | None = None, *, environment: bool = False) -> str | None:
    """The key kept for a connection, or None. Blocks for at most `bound_s` seconds, BOUND_S without it. Raises
    KeyringError.

    `environment`: see `read_all`.
    """
    return read_all((identity,), bound_s, environment=environment)[0]


def read_all(identities: Sequence[str], bound_s: float | None = None, *, environment: bool = False) -> list[str | None]:
    """The keys kept under these names, each or None, in one question. Blocks and raises as `read` does.

    `environment`: the first is the connection that the command or the window was started for: `PETSTORE_API_KEY`, if
    there is one, stands in for its key. For every other connection it would be the key of another service.
    """
    given = secret_variable(ENVIRONMENT) if environment else None
    asked = identities[1:] if given else identities
    found = _ask("read", asked, bound_s).get("keys", []) if asked else []
    return [None if key is None else log.keep_secret(key) for key in ([given, *found] if given else found)]


def stood_in() -> bool:
    """Whether `PETSTORE_API_KEY` stands in for the key of the connection that was started."""
    return bool(secret_variable(ENVIRONMENT))


def keep(identity: str, key: str, bound_s: float | None = None) -> None:
    """Keep a key, and read it back to be sure. Blocks for at most `bound_s` seconds, BOUND_S without it. Raises
    KeyringError."""
    key = log.keep_secret(key)
    if not _ask("keep", (identity,), bound_s, key).get("kept"):
        raise KeyringError("keyring-lost")


def forget(identity: str, bound_s: float | None = None) -> None:
    """Remove a connection's key; none kept is fine. Blocks for at most `bound_s` seconds, BOUND_S without it. Raises
    KeyringError."""
    _ask("forget", (identity,), bound_s)


def _ask(
    do: Literal["read", "keep", "forget"], names: Sequence[str], bound_s: float | None, key: str = ""
) -> KeyringAnswer:
    if _done_without.is_set() or not ALLOWED:
        raise KeyringError("keyring-absent")
    question = _Question(KeyringOrder(do=do, service=SERVICE, names=names, allowed=sorted(ALLOWED), key=key))
    thread = begin(question.put, "keyring", writes=do != "read")
    question.begun.wait(START_S)
    thread.join(BOUND_S if bound_s is None else bound_s)
    answer = question.end()
    if answer is None:
        raise KeyringError("keyring-silent")
    if "error" in answer:
        raise KeyringError(answer["error"], detail=log.redact(answer.get("detail", "")))
    return answer


class _Question:
    """One question to the keyring, and the process that puts it. `begun`: it asks now, or has ended."""

    def __init__(self, order: KeyringOrder) -> None:
        self.begun = threading.Event()
        self._order = order
        self._answer: KeyringAnswer | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._lock = threading.Lock()

    def put(self) -> None:
        """Wait for the answer, for as long as the process lives."""
        try:
            with self._lock:
                if self._ended:
                    return
                self._process = _start()
            answer = _answered(self._process, self._order, self.begun)
        except OSError as error:
            answer = KeyringAnswer(error="keyring-refused", detail=str(error))
        finally:
            self.begun.set()
        with self._lock:
            if not self._ended:
                self._answer = answer

    def end(self) -> KeyringAnswer | None:
        """Return the answer; without one, kill the process, so that it does nothing any more, and return None."""
        with self._lock:
            self._ended = True
            if self._answer is None and self._process is not None:
                self._process.kill()
            return self._answer


def _start() -> subprocess.Popen[bytes]:
    """Start the process. Its environment tells it where the keyring is; a key in that is none of its business."""
    pipe, environment = subprocess.PIPE, clean_environment()
    return subprocess.Popen(
        _command(), cwd=Path(__file__).resolve().parents[1], env=environment,
        stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )  # fmt: skip


def _command() -> list[str]:
    """How the process is started: a bundle is its own interpreter, and knows its own options only."""
    bundled = getattr(sys, "frozen", False)
    return [sys.executable, *(["--ask-keyring"] if bundled else ["-m", "petstore_desktop.session.keyring_process"])]


def _answered(process: subprocess.Popen[bytes], order: KeyringOrder, begun: threading.Event) -> KeyringAnswer:
    """What the process answers, after the empty line that says that it begins to ask; it ends with its stdin. Raises
    OSError."""
    with process:
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipes")
        with suppress(BrokenPipeError):  # where it has ended, the line is missing
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
        if line == b"\n":
            begun.set()
            line = process.stdout.readline()
        with suppress(BrokenPipeError):
            process.stdin.close()
    if not line.endswith(b"\n"):
        return KeyringAnswer(error="keyring-ended", detail=f"exit code {process.returncode}")
    return cast("KeyringAnswer", json.loads(line))
