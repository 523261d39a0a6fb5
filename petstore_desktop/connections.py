"""`petstore-desktop connections` and `forget NAME`."""

from __future__ import annotations

import shutil
import sys

from petstore_desktop import credentials
from petstore_desktop.assembly import keyring_name
from petstore_desktop.domain.errors import BadInput, KeyringError, StorageError
from petstore_desktop.instance import Instance
from petstore_desktop.platform_support import storage_code
from petstore_desktop.preferences import Places, PreferenceStore, Profile, data_directory
from petstore_desktop.profiles import find, unsent_changes


def list_connections(data_dir: str | None) -> int:
    """A line for each: name, address, plan."""
    store = PreferenceStore(Places(data_directory(data_dir)).preferences)
    preferences = store.load()
    if store.set_aside is not None:
        raise StorageError("preferences-set-aside", path=str(store.set_aside))
    for profile in preferences.profiles:
        print("\t".join((profile.name, profile.url, _plan_words(profile))))
    if not preferences.profiles:
        sys.stderr.write(
            "There is no connection yet. `petstore-desktop connect NAME --url URL --key-stdin` makes one.\n"
        )
    return 0


def _plan_words(profile: Profile) -> str:
    numbers = ((profile.per_minute, "a minute"), (profile.per_day, "a day"))
    return ", ".join([profile.plan or "plan not known", *(f"{n} {window}" for n, window in numbers if n is not None)])


def forget(data_dir: str | None, name: str, yes: bool) -> int:
    """Remove a connection, its key and its files; asks first where changes are unsent. Raises what its steps
    raise."""
    places = Places(data_directory(data_dir))
    store = PreferenceStore(places.preferences)
    preferences = store.load()
    profile = find(preferences, name)
    instance = Instance(places.data)
    try:
        unsent = unsent_changes(places, profile)
        if unsent and not yes and not _agreed(profile, unsent):
            raise BadInput("unsent-changes", count=unsent, name=profile.name)
        _forget_key(profile)
        store.save(preferences.without_profile(profile.slug))
        _remove(places, profile)
    finally:
        instance.release()
    print(f"{profile.name} is forgotten: its key and what was kept of it here are gone.")
    return 0


def _forget_key(profile: Profile) -> None:
    """Where there is no keyring, there is no key in it either. Raises KeyringError."""
    try:
        credentials.forget(keyring_name(profile))
    except KeyringError as error:
        if error.code != "keyring-absent":
            raise


def _agreed(profile: Profile, unsent: int) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(f"{unsent} changes of {profile.name} are not sent yet. Remove them too? [y/N] ").strip().lower() == "y"


def _remove(places: Places, profile: Profile) -> None:
    folder = places.connection(profile.slug)
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise StorageError(storage_code(error), path=str(folder)) from error
