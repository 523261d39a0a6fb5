"""The API key: in the system's keyring, never in a file. The only place with `keyring`.

A keyring may be absent, locked, or silent for ever (a Secret Service that owns its name and never answers), so every
call runs in a throw-away daemon thread and is given 5 s. Who was told that it took too long was told that nothing is
kept: a keyring that is unlocked later writes nothing any more. Backends are chosen from an allow-list,
because some installable ones write the key to a plain file (`5-measured`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from petstore_desktop import log
from petstore_desktop.domain.errors import KeyringError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "petstore-desktop"
ENVIRONMENT = "PETSTORE_API_KEY"
BOUND_S = 5.0
ALLOWED = frozenset(
    {
        "keyring.backends.SecretService",
        "keyring.backends.libsecret",
        "keyring.backends.kwallet",
        "keyring.backends.macOS",
        "keyring.backends.Windows",
    }
)
"""Modules of backends that keep secrets in the system's own store."""

_done_without = threading.Event()
T = TypeVar("T")
_Wanted: TypeAlias = "Callable[[], bool]"
"""Whether the caller still waits for the result."""


def do_without() -> None:
    """From now on this process has no keyring at all."""
    _done_without.set()
    os.environ.pop(ENVIRONMENT, None)


def read(identity: str, bound_s: float | None = None, *, environment: bool = False) -> str | None:
    """The key kept for a connection, or None. Blocks for at most `bound_s` seconds, BOUND_S without it. Raises
    KeyringError.

    `environment`: this is the connection that the command or the window was started for: `PETSTORE_API_KEY`, if there
    is one, stands in for its key. For every other connection it would be the key of another service.
    """
    given = os.environ.get(ENVIRONMENT) if environment else None
    if given:
        return log.keep_secret(given)
    key = _bounded(lambda _: _backend().get_password(SERVICE, identity), bound_s)
    return None if key is None else log.keep_secret(key)


def stood_in() -> bool:
    """Whether `PETSTORE_API_KEY` stands in for the key of the connection that was started."""
    return bool(os.environ.get(ENVIRONMENT))


def keep(identity: str, key: str, bound_s: float | None = None) -> None:
    """Keep a key, and read it back to be sure. Blocks for at most `bound_s` seconds, BOUND_S without it. Raises
    KeyringError."""
    key = log.keep_secret(key)

    def write_and_read(wanted: _Wanted) -> str | None:
        backend = _backend()
        backend.get_password(SERVICE, identity)  # a locked one asks for its password here, for as long as that takes
        if not wanted():
            return None
        backend.set_password(SERVICE, identity, key)  # pyright: ignore[reportUnknownMemberType] -- wrapped, untyped
        return backend.get_password(SERVICE, identity)

    if _bounded(write_and_read, bound_s) != key:
        raise KeyringError("keyring-lost")


def forget(identity: str, bound_s: float | None = None) -> None:
    """Remove a connection's key; none kept is fine. Blocks for at most `bound_s` seconds, BOUND_S without it. Raises
    KeyringError."""

    def remove(wanted: _Wanted) -> None:
        backend = _backend()
        if backend.get_password(SERVICE, identity) is not None and wanted():
            backend.delete_password(SERVICE, identity)

    _bounded(remove, bound_s)


def _backend() -> KeyringBackend:
    if _done_without.is_set():
        raise KeyringError("keyring-absent")
    from keyring.backend import get_all_keyring

    fit = [one for one in get_all_keyring() if type(one).__module__ in ALLOWED]
    if not fit:
        raise KeyringError("keyring-absent")
    return max(fit, key=lambda one: one.priority)


def _bounded(work: Callable[[_Wanted], T], bound_s: float | None) -> T:
    results: list[T] = []
    errors: list[Exception] = []
    given_up = threading.Event()

    def run() -> None:
        try:
            results.append(work(lambda: not given_up.is_set()))
        except Exception as error:  # noqa: BLE001 -- backends raise what their systems raise; it is named below
            errors.append(error)

    thread = threading.Thread(target=run, name="keyring", daemon=True)
    thread.start()
    thread.join(BOUND_S if bound_s is None else bound_s)
    given_up.set()
    if errors:
        raise _named(errors[0])
    if not results:
        raise KeyringError("keyring-silent")
    return results[0]


def _named(error: Exception) -> KeyringError:
    from keyring.errors import InitError, KeyringLocked, NoKeyringError

    if isinstance(error, KeyringError):
        return error
    if isinstance(error, KeyringLocked):
        code = "keyring-locked"
    elif _is_broken_off(error):
        code = "keyring-ended"
    elif isinstance(error, NoKeyringError | InitError):
        code = "keyring-absent"
    else:
        code = "keyring-refused"
    return KeyringError(code, detail=log.redact(str(error)))


_BROKEN_OFF = frozenset(f"org.freedesktop.DBus.Error.{name}" for name in ("NoReply", "Disconnected"))
"""The error of a message bus when the asked program has ended (D-Bus Specification, "Error names")."""


def _is_broken_off(error: BaseException | None) -> bool:
    """Whether the keyring, or the bus, ended while it was asked: the backends pass on what their libraries raise."""
    while error is not None:
        if isinstance(error, ConnectionError | EOFError) or getattr(error, "name", "") in _BROKEN_OFF:
            return True
        error = error.__cause__ or error.__context__
    return False
