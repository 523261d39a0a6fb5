"""One call of credentials.py in a process of its own, with the environment of a keyring. Not a test.

    python -m tests.support.credentials_child read|keep|forget IDENTITY BOUND_S [PLANT SITE]    (the key is stdin)
    python -m tests.support.credentials_child outlast IDENTITY BOUND_S    (keeps the first line, goes on after the next)

Prints one JSON object: `{"result": ...}` or `{"error": code}`, and how many seconds it took. PLANT names a folder in
which a backend of bad repute keeps keys in a file, with a higher priority than any other; SITE is one in which it is
installed. BUNDLE in the environment is the program that this one shall be, as a bundle of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from petstore_desktop import credentials
from petstore_desktop.domain.errors import KeyringError

FORGED = """
from pathlib import Path
from keyring.backend import KeyringBackend

FOLDER = Path({folder!r})

class PlaintextKeyring(KeyringBackend):
    priority = 99

    def get_password(self, service, username):
        place = FOLDER / f"{{service}}-{{len(username)}}"
        return place.read_text() if place.exists() else None

    def set_password(self, service, username, password):
        (FOLDER / f"{{service}}-{{len(username)}}").write_text(password)

    def delete_password(self, service, username):
        (FOLDER / f"{{service}}-{{len(username)}}").unlink()
"""


def plant(folder: Path, site: Path) -> None:
    """Install a backend as keyrings.alt has them, for the processes that are started from now on: it takes everything,
    and writes it to a file."""
    files = {
        "keyrings/alt/file.py": FORGED.format(folder=str(folder)),
        "keyrings.alt-5.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: keyrings.alt\nVersion: 5.0\n",
        "keyrings.alt-5.0.dist-info/entry_points.txt": "[keyring.backends]\nfile = keyrings.alt.file\n",
    }
    for name, text in files.items():
        place = site / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    os.environ["PYTHONPATH"] = str(site)


def chosen_without_a_list() -> str:
    """The module of the backend that `keyring` would take by itself."""
    code = "import keyring; print(type(keyring.get_keyring()).__module__)"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


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
    sys.stdout.write(f"{credentials.read(identity)}\n")


def main() -> None:
    if bundle := os.environ.get("BUNDLE"):
        sys.frozen, sys.executable = True, bundle
    if sys.argv[1] == "outlast":
        outlast(sys.argv[2], float(sys.argv[3]))
        return
    action, identity, bound = sys.argv[1], sys.argv[2], float(sys.argv[3])
    if len(sys.argv) > 5:
        plant(Path(sys.argv[4]), Path(sys.argv[5]))
        assert chosen_without_a_list() == "keyrings.alt.file"
    began = time.monotonic()
    said: dict[str, object]
    try:
        if action == "keep":
            credentials.keep(identity, sys.stdin.read().strip(), bound)
            said = {"result": None}
        elif action.startswith("read-more"):
            names = (identity, "another", identity)
            said = {"result": credentials.read_all(names, bound, environment=action == "read-more-given")}
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
