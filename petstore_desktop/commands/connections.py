"""`petstore-desktop connections` and `forget NAME`."""

from __future__ import annotations

import sys
import time

from petstore_desktop.commands.sentences import load_preferences, tell
from petstore_desktop.data_folder import Places, data_directory
from petstore_desktop.desk.checks.command_texts import NO_CONNECTION
from petstore_desktop.desk.checks.error_texts import FORGOTTEN
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.instance import Instance
from petstore_desktop.preferences import PreferenceStore, ShopConnection
from petstore_desktop.session.connections import find
from petstore_desktop.session.forgetting import (
    listed_count,
    put_damaged_aside,
    remove_files,
    save_and_lock_out,
    unsent_count,
    unsure_count,
)


def list_connections(data_dir: str | None) -> int:
    """A line for each: name, address, plan."""
    store = PreferenceStore(Places(data_directory(data_dir)).preferences)
    preferences = store.load()
    if store.set_aside is not None:
        raise StorageError("preferences-set-aside", path=str(store.set_aside))
    tell(store.trouble)
    for connection in preferences.connections:
        print("\t".join((connection.name, connection.url, _plan_words(connection))))
    if not preferences.connections:
        from petstore_desktop.ui.text.translate import without_window  # late: few have none

        command = "`petstore-desktop connect NAME --url URL --key-stdin`"
        sys.stderr.write(f"{without_window()(NO_CONNECTION).format(command=command)}\n")
    return 0


def _plan_words(connection: ShopConnection) -> str:
    numbers = ((connection.per_minute, "a minute"), (connection.per_day, "a day"))
    said = [connection.plan or "plan not known", *(f"{n} {window}" for n, window in numbers if n is not None)]
    return ", ".join([*said, "read-only"] if connection.read_only else said)


def forget(data_dir: str | None, name: str, yes: bool) -> int:
    """Remove a connection, its key and its files; unsent changes are exported first, after a question. Raises the
    errors of its steps."""
    places = Places(data_directory(data_dir))
    store = PreferenceStore(places.preferences)
    preferences = load_preferences(store)
    connection = find(preferences, name)
    instance = Instance(places.data)
    try:
        listed = listed_count(put_damaged_aside(places, connection.slug, time.time()))
        unsent = unsent_count(places, connection.slug) + listed
        if unsent and not yes and not _agreed(connection, unsent, unsure_count(places, connection.slug)):
            raise BadInput("unsent-changes", count=unsent, name=connection.name)
        forgotten = save_and_lock_out(places, connection, time.time())
        store.save(preferences.without_connection(connection.slug))
        remove_files(places, connection.slug)
    finally:
        instance.release()
    if forgotten.export is not None:
        print(f"Of {connection.name} {_open_words(forgotten.unsent, forgotten.unsure)}. They are in {forgotten.export}")
    for one in forgotten.lists:
        if one.suffix == ".csv":
            print(
                f"The file of changes of {connection.name} was damaged. What it still told of unsent ones is in {one}"
            )
    print(f"{connection.name} is forgotten. {FORGOTTEN[forgotten.keyring]}")
    return 0


def _open_words(unsent: int, unsure: int) -> str:
    """The message about unsent changes, and about those that may have arrived."""
    rest = unsent - unsure
    lost = f"{rest} {'change was' if rest == 1 else 'changes were'} not sent"
    if not unsure:
        return lost
    again = "it" if unsure == 1 else "them"
    return f"{lost}; {unsure} may have arrived: check at the service before you make {again} again"


def _agreed(connection: ShopConnection, unsent: int, unsure: int) -> bool:
    if not sys.stdin.isatty():
        return False
    asked = f"Of {connection.name} {_open_words(unsent, unsure)}. Write them to a file and forget it? [y/N] "
    try:
        return input(asked).strip().lower() == "y"
    except EOFError:  # Ctrl+D
        sys.stdout.write("\n")
        return False
