"""`petstore-desktop connect`: make or change a connection. The key goes to the keyring, never to a file."""

from __future__ import annotations

import sys
from pathlib import Path

from petstore_desktop import credentials
from petstore_desktop.assembly import keyring_name
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.preferences import Places, PreferenceStore, data_directory
from petstore_desktop.profiles import forget_contract, with_connection


def connect(data_dir: str | None, name: str, url: str, document: str | None, plan: str | None, key_stdin: bool) -> int:
    """Do it; the exit code. Raises BadInput, KeyringError, StorageError."""
    places = Places(data_directory(data_dir))
    store = PreferenceStore(places.preferences)
    preferences = store.load()
    changed, profile = with_connection(preferences, name, url, plan, _absolute(document))
    if key_stdin:
        key = sys.stdin.readline().strip()
        if not key:
            raise BadInput("no-key-given")
        credentials.keep(keyring_name(profile), key)
    store.save(changed)
    forget_contract(places, profile)
    print(f"{profile.name}: {profile.url}" + (", its key is in the keyring" if key_stdin else ""))
    return 0


def _absolute(document: str | None) -> str | None:
    if document is None or "://" in document:
        return document
    return str(Path(document).expanduser().absolute())
