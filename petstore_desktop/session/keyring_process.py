"""Asks the system's keyring, in a process of its own that ends with the answer. The only place with `keyring`.

The keyring's libraries are large, and only a moment of each run needs them; `credentials` starts this process. It is
told what to do in one JSON line on stdin, and writes an empty line to stdout when it begins to ask, and one JSON line
that says what came of it (`credentials` has both).
When stdin ends, this process ends, whatever the keyring is doing. The key is in these pipes and nowhere else.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import IO, TYPE_CHECKING, NoReturn

from petstore_desktop.threads import end_at_once

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

    from petstore_desktop.credentials import KeyringAnswer, KeyringOrder


class _NoBackendError(Exception):
    """No allowed backend works on this computer."""


def main() -> NoReturn:
    """Do what stdin says, print the answer, and end the process, whatever the keyring's libraries have left running."""
    told = _only_answers_on_stdout()
    order: KeyringOrder = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    try:
        kinds = _kinds(order["allowed"])
        told.write(b"\n")
        told.flush()
        answer = _carried_out(order, kinds)
    except Exception as error:  # noqa: BLE001 -- backends raise what their systems raise; it is named below
        answer = _named(error)
    with told:
        told.write(json.dumps(answer).encode() + b"\n")
    end_at_once(0)


def _only_answers_on_stdout() -> IO[bytes]:
    """Return stdout, which is hidden from now on from libraries that print and from processes that they start."""
    told, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return os.fdopen(told, "wb")


def _end_with_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    end_at_once(1)


def _carried_out(order: KeyringOrder, kinds: type[KeyringBackend]) -> KeyringAnswer:
    backend, service = _backend(kinds, order["allowed"]), order["service"]
    if order["do"] == "read":
        return {"keys": [backend.get_password(service, name) for name in order["names"]]}
    (name,) = order["names"]
    found = backend.get_password(service, name)  # a locked keyring asks for its password here, however long it takes
    if order["do"] == "keep":
        key = order["key"]
        backend.set_password(service, name, key)  # pyright: ignore[reportUnknownMemberType] -- wrapped, untyped
        return {"kept": backend.get_password(service, name) == key}
    if found is not None:
        backend.delete_password(service, name)
    return {}


def _kinds(allowed: Sequence[str]) -> type[KeyringBackend]:
    """What the allowed ones are kinds of, once they are imported. No other is: the library would import all that there
    are, which takes half as long again."""
    from keyring.backend import KeyringBackend

    for module in allowed:
        with suppress(Exception):  # what it asks the system with is not here
            import_module(module)
    return KeyringBackend


def _backend(kinds: type[KeyringBackend], allowed: Sequence[str]) -> KeyringBackend:
    """The best of the allowed ones that works here."""
    fit = [kind for kind in kinds.get_viable_backends() if kind.__module__ in allowed]
    if not fit:
        raise _NoBackendError
    return max(fit, key=lambda kind: kind.priority)()


def _named(error: Exception) -> KeyringAnswer:
    from keyring.errors import InitError, KeyringLocked, NoKeyringError

    if isinstance(error, KeyringLocked):
        code = "keyring-locked"
    elif _is_broken_off(error):
        code = "keyring-ended"
    elif isinstance(error, _NoBackendError | NoKeyringError | InitError):
        code = "keyring-absent"
    else:
        code = "keyring-refused"
    return {"error": code, "detail": str(error)}


_BROKEN_OFF = frozenset(f"org.freedesktop.DBus.Error.{name}" for name in ("NoReply", "Disconnected"))
"""The error of a message bus when the asked program has ended (D-Bus Specification, "Error names")."""


def _is_broken_off(error: BaseException | None) -> bool:
    """Whether the keyring, or the bus, ended while it was asked: the backends pass on what their libraries raise."""
    while error is not None:
        if isinstance(error, ConnectionError | EOFError) or getattr(error, "name", "") in _BROKEN_OFF:
            return True
        error = error.__cause__ or error.__context__
    return False


if __name__ == "__main__":
    main()
