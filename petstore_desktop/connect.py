"""`petstore-desktop connect`: make or change a connection. The key goes to the keyring, never to a file."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from petstore_desktop import credentials
from petstore_desktop.api.address import clean_base_url
from petstore_desktop.assembly import keyring_name
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.preferences import Places, Preferences, PreferenceStore, Profile, data_directory


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


def with_connection(
    preferences: Preferences, name: str, url: str, plan: str | None, document: str | None = None
) -> tuple[Preferences, Profile]:
    """The preferences with this connection new or changed, and the connection. Raises BadInput."""
    name = name.strip()
    if not name:
        raise BadInput("name-empty")
    address = clean_base_url(url)
    known = preferences.profile(name)
    if known is None:
        profile = Profile(name, preferences.free_slug(name), address, plan=plan, document=document)
    else:
        profile = replace(known, url=address, plan=plan or known.plan, document=document or known.document)
    return replace(preferences.with_profile(profile), last_connection=profile.slug), profile


def forget_contract(places: Places, profile: Profile) -> None:
    """What the service offers is asked anew at the next start."""
    with suppress(OSError):
        places.contract(profile.slug).unlink(missing_ok=True)


def _absolute(document: str | None) -> str | None:
    if document is None or "://" in document:
        return document
    return str(Path(document).expanduser().absolute())
