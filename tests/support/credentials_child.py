"""One call of credentials.py in a process of its own, since backends are found once in a process. Not a test.

    python -m tests.support.credentials_child read|keep|forget IDENTITY BOUND_S [PLANT]    (the key is stdin)
    python -m tests.support.credentials_child outlast IDENTITY BOUND_S    (keeps the first line, goes on after the next)

Prints one JSON object: `{"result": ...}` or `{"error": code}`, and how many seconds it took. PLANT names a folder in
which a backend of bad repute keeps keys in a file, with a higher priority than any other.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

from petstore_desktop import credentials
from petstore_desktop.domain.errors import KeyringError


def plant(folder: Path) -> None:
    """A backend as keyrings.alt has them: it takes everything, and writes it to a file."""
    from keyring.backend import KeyringBackend

    class PlaintextKeyring(KeyringBackend):
        priority = 99

        def get_password(self, service: str, username: str) -> str | None:
            place = folder / f"{service}-{len(username)}"
            return place.read_text() if place.exists() else None

        def set_password(self, service: str, username: str, password: str) -> None:
            (folder / f"{service}-{len(username)}").write_text(password)

        def delete_password(self, service: str, username: str) -> None:
            (folder / f"{service}-{len(username)}").unlink()

    PlaintextKeyring.__module__ = "keyrings.alt.file"


def outlast(identity: str, bound: float) -> None:
    """Keep a key, say what came of it, and go on after a line of stdin; then say what the keyring holds at last."""
    try:
        credentials.keep(identity, sys.stdin.readline().strip(), bound)
        said = ""
    except KeyringError as error:
        said = error.code
    sys.stdout.write(f"{said}\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for thread in threading.enumerate():
        if thread.name == "keyring":
            thread.join(10)
    sys.stdout.write(f"{credentials.read(identity)}\n")


def main() -> None:
    if sys.argv[1] == "outlast":
        outlast(sys.argv[2], float(sys.argv[3]))
        return
    action, identity, bound = sys.argv[1], sys.argv[2], float(sys.argv[3])
    if len(sys.argv) > 4:
        plant(Path(sys.argv[4]))
    began = time.monotonic()
    said: dict[str, object]
    try:
        if action == "keep":
            credentials.keep(identity, sys.stdin.read().strip(), bound)
            said = {"result": None}
        elif action.startswith("read"):
            said = {"result": credentials.read(identity, bound, environment=action == "read-given")}
        else:
            credentials.forget(identity, bound)
            said = {"result": None}
    except KeyringError as error:
        said = {"error": error.code, "detail": str(error)}
    sys.stdout.write(json.dumps({**said, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main()
