"""The keys of a connection in the keyring: the main one under the connection's name, further ones each under that of
its security scheme. Those names are in a file of the connection, so that a key that is not wanted any more is found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from petstore_desktop import credentials
from petstore_desktop.data_folder import MOST_OWN, Places, storage_errors
from petstore_desktop.platform_support import make_private_directory, write_whole
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.regular_files import read_regular


def keyring_name(connection: ShopConnection) -> str:
    """The user name under which a connection's key is kept in the keyring: its name and its address, so that a key
    never goes to another service that happens to have the same name."""
    return f"{connection.slug} {connection.url}"


def read_keys(
    places: Places, connection: ShopConnection, *, environment: bool = False
) -> tuple[str | None, dict[str, str]]:
    """The main key, and the others by their schemes. `environment`: see `credentials.read`. Blocks for the keyring.
    Raises KeyringError."""
    names = _names(places, connection)
    identities = (keyring_name(connection), *(_identity(connection, name) for name in names))
    main, *others = credentials.read_all(identities, environment=environment)
    return main, _found(names, others)


def read_further(places: Places, connection: ShopConnection) -> dict[str, str]:
    """The keys beside the main one, by their schemes. Blocks for the keyring. Raises KeyringError."""
    names = _names(places, connection)
    return _found(names, credentials.read_all([_identity(connection, name) for name in names]))


def _found(names: Iterable[str], keys: Iterable[str | None]) -> dict[str, str]:
    return {name: key for name, key in zip(names, keys, strict=True) if key}


def keep_keys(places: Places, connection: ShopConnection, key: str, further: Mapping[str, str]) -> None:
    """Put these keys into the keyring; an empty one stays as it is. Blocks. Raises KeyringError, StorageError."""
    if further:
        _note(places, connection, {*_names(places, connection), *further})
    if key:
        credentials.keep(keyring_name(connection), key)
    for name, other in further.items():
        credentials.keep(_identity(connection, name), other)


def forget_keys(places: Places, connection: ShopConnection) -> None:
    """Remove the main key and all others. Blocks. Raises KeyringError."""
    for name in _names(places, connection):
        credentials.forget(_identity(connection, name))
    credentials.forget(keyring_name(connection))


def _identity(connection: ShopConnection, name: str) -> str:
    """The name in the keyring; of the main key it is that without the scheme."""
    return f"{keyring_name(connection)} {name}"


def _file(places: Places, connection: ShopConnection) -> Path:
    return places.connection(connection.slug) / "keys.json"


def _names(places: Places, connection: ShopConnection) -> tuple[str, ...]:
    with suppress(OSError, ValueError):
        names = json.loads(read_regular(_file(places, connection), MOST_OWN))
        if isinstance(names, list):
            return tuple(name for name in cast("list[object]", names) if isinstance(name, str))
    return ()


def _note(places: Places, connection: ShopConnection, names: Iterable[str]) -> None:
    file = _file(places, connection)
    with storage_errors(file):
        make_private_directory(file.parent)
        write_whole(file, json.dumps(sorted(names)).encode())
