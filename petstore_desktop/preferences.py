"""What the program remembers about itself: settings, connections (never a key), and the window's state.

One JSON file, `preferences.json`, read before the first paint, so that this module imports little. A `Preferences` is
frozen: the window makes a changed copy and hands it to `Remembered`, whose thread has `PreferenceStore` save it.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, cast
from urllib.parse import urlsplit

from msgspec import Meta, Struct, convert, field
from msgspec.structs import fields, replace

from petstore_desktop.data_folder import MOST_OWN, is_slug, replacing, set_aside, slug, storage_errors
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.quota import PLANS, Plan
from petstore_desktop.domain.records import INT64_MAX, JsonValue
from petstore_desktop.platform_support import make_private_directory, write_whole
from petstore_desktop.regular_files import read_looked_at
from petstore_desktop.threads import begin

Theme: TypeAlias = Literal["system", "light", "dark"]
Json: TypeAlias = Mapping[str, JsonValue]
Requests: TypeAlias = Annotated[int, Meta(gt=0, le=INT64_MAX)]

# ---------------------------------------------------------------- connections


class ConnectionSettings(Struct, frozen=True):
    """What a person may change of a connection. `document`: a file or an address, "" for the published one; `ca_file`:
    "" for none; `colour`: `#RRGGBB` or ""; `values`: new ones for parameters, by their names."""

    name: str
    plan: Plan
    colour: str = ""
    document: str = ""
    ca_file: str = ""
    read_only: bool = False
    values: Mapping[str, str] = field(default_factory=dict[str, str])


class ShopConnection(Struct, frozen=True):
    """One connection. The key is in the keyring, never here.

    `slug` names its folder and its place in the keyring and never changes. `plan` is a name of `domain.quota.PLANS` or
    None; `per_minute` and `per_day` are limits in requests that a person gave. `document`: a path or URL of an OpenAPI
    document, or None for the published one. `colour`: a mark in the window, as `#RRGGBB`. `read_only`: nothing is
    written there. `ca_file`: the path of a file with certificates that are trusted beside the system's. `bindings`:
    operations that a person bound by hand, `pets.list` to `GET /animals`; `fields`: where a person said fields lie,
    `pets.name` to `title.en`. Raises BadInput `url-holds-secret` for an address with a user name or password in it.
    """

    name: Annotated[str, Meta(pattern=r"\S")]
    slug: str
    url: str
    plan: str | None = None
    per_minute: Requests | None = None
    per_day: Requests | None = None
    document: str | None = None
    colour: Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}\Z")] | None = None
    demo: bool = False
    read_only: bool = False
    ca_file: str | None = None
    bindings: Json = field(default_factory=dict[str, JsonValue])
    fields: Json = field(default_factory=dict[str, JsonValue])
    unknown: Json = field(default_factory=dict[str, JsonValue])
    """What another version of the program wrote about it; kept."""

    def __post_init__(self) -> None:
        for address in (self.url, self.document or ""):
            _, scheme, rest = address.partition("://")
            if scheme and "@" in rest.partition("/")[0]:
                raise BadInput("url-holds-secret")

    @property
    def by_hand(self) -> Json:
        """All that a person bound by hand, operations and fields."""
        return {**self.bindings, **self.fields}

    @property
    def limits(self) -> Plan:
        """The limits that the person gave; a plan without a name is not known."""
        return Plan(self.plan or "", self.per_minute, self.per_day)

    @property
    def told_limits(self) -> Plan | None:
        """These, with the numbers of a plan that has its own; None where the person gave none."""
        known = PLANS.get(self.plan or "")
        per_minute = self.per_minute or (known.per_minute if known else None)
        per_day = self.per_day or (known.per_day if known else None)
        if known is None and per_minute is None and per_day is None:
            return None
        return Plan(self.plan or "own", per_minute, per_day)


def _types(kind: type[Struct], *others: str) -> dict[str, Any]:
    return {one.name: one.type for one in fields(kind) if one.name not in others}


_CONNECTION_TYPES: Final[Mapping[str, Any]] = _types(ShopConnection, "unknown")
_CONNECTION_CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    "slug": is_slug,
    "url": lambda url: re.match(r"https?://[^/?#\s]", url, re.IGNORECASE) is not None and urlsplit(url).port != 0,
    "document": lambda place: "://" not in place or urlsplit(place).port != 0,
}


# ---------------------------------------------------------------- all of it


class Preferences(Struct, frozen=True):
    """Everything that is remembered. `language`: a BCP 47 tag, None for the system's. `last_connection`: a slug.

    `window` is the window's own plain JSON: geometry, the tab in front, each table's columns, sort and filter.
    """

    theme: Theme = "system"
    language: str | None = None
    last_connection: str | None = None
    connections: tuple[ShopConnection, ...] = ()
    window: Json = field(default_factory=dict[str, JsonValue])
    unknown: Json = field(default_factory=dict[str, JsonValue])
    """What another version of the program wrote; kept."""
    unread_connections: tuple[JsonValue, ...] = ()
    """Connections that this version cannot use; kept."""

    def text(self, name: str) -> str:
        """A setting that is a text, "" for none."""
        value = self.unknown.get(name)
        return value if isinstance(value, str) else ""

    def connection(self, name: str) -> ShopConnection | None:
        """The connection of exactly this name."""
        return next((connection for connection in self.connections if connection.name == name), None)

    def of_slug(self, slug: str) -> ShopConnection | None:
        """The connection of this slug."""
        return next((connection for connection in self.connections if connection.slug == slug), None)

    def free_slug(self, name: str) -> str:
        """A slug for a new connection that no other one has."""
        taken = {connection.slug for connection in self.connections}
        wanted, count = slug(name), 1
        while (result := wanted if count == 1 else f"{wanted}-{count}") in taken:
            count += 1
        return result

    def with_connection(self, connection: ShopConnection) -> Preferences:
        """A copy with this connection, in the place of the one with its slug or at the end.

        Raises BadInput: `name-taken` where another connection has its name, `value-not-kept` (`what`) for what the next
        start could not use.
        """
        read_again, bad = _connection(json.loads(json.dumps(_stored_connection(connection))))
        if bad or read_again != connection:
            raise BadInput("value-not-kept", name=connection.name, what=", ".join(bad) or "url")
        if any(other.name == connection.name and other.slug != connection.slug for other in self.connections):
            raise BadInput("name-taken", name=connection.name)
        by_slug = {other.slug: other for other in self.connections} | {connection.slug: connection}
        return replace(self, connections=tuple(by_slug.values()))

    def without_connection(self, slug: str) -> Preferences:
        """A copy without this connection, and without what its window remembered."""
        last = None if self.last_connection == slug else self.last_connection
        connections = tuple(connection for connection in self.connections if connection.slug != slug)
        window = {name: state for name, state in self.window.items() if name != slug}
        return replace(self, connections=connections, last_connection=last, window=window)


class PreferenceStore:
    """The file. `set_aside` names the damaged file that `load` renamed, if any; `unusable` the values that it left out:
    `Zoo: colour`."""

    __slots__ = ("path", "set_aside", "unusable")

    def __init__(self, path: Path) -> None:
        self.path = path
        self.set_aside: Path | None = None
        self.unusable: tuple[str, ...] = ()

    @property
    def trouble(self) -> StorageError | None:
        """The message about the file that `load` found."""
        if self.set_aside is not None:
            return StorageError("preferences-set-aside", path=str(self.set_aside))
        if self.unusable:
            return StorageError("preferences-unusable", path=str(self.path), what=", ".join(self.unusable))
        return None

    def load(self) -> Preferences:
        """Read the file of preferences. No file: the defaults. A file that is not JSON is set aside. Values that cannot
        be used become defaults, connections without a usable name, folder or address are left out; see `trouble`.

        Raises StorageError.
        """
        aside = None
        while aside is None:  # where another program has put a damaged one aside meanwhile, there is another to be read
            with storage_errors(self.path):
                try:
                    content, looked_at = read_looked_at(self.path, MOST_OWN)
                except FileNotFoundError:
                    return Preferences()
            with suppress(ValueError, RecursionError):
                stored = json.loads(content)
                if isinstance(stored, dict):
                    preferences, self.unusable = _preferences(cast("dict[str, JsonValue]", stored))
                    return preferences
            aside = set_aside(self.path, looked_at)
        self.set_aside = aside
        return Preferences()

    def save(self, preferences: Preferences) -> None:
        """Write it whole or not at all, for its owner's eyes only (0600); on any thread. Raises StorageError."""
        text = json.dumps(_stored(preferences), ensure_ascii=True, indent=2) + "\n"
        with storage_errors(self.path):
            make_private_directory(self.path.parent)
            with replacing(self.path):
                write_whole(self.path, text.encode("ascii"))


def _stored(preferences: Preferences) -> dict[str, JsonValue]:
    connections: list[JsonValue] = [_stored_connection(connection) for connection in preferences.connections]
    return {
        **preferences.unknown,
        "theme": preferences.theme,
        "language": preferences.language,
        "last_connection": preferences.last_connection,
        _STORED: [*connections, *preferences.unread_connections],
        "window": dict(preferences.window),
    }


def _stored_connection(connection: ShopConnection) -> dict[str, JsonValue]:
    return {**connection.unknown, **{name: cast("JsonValue", getattr(connection, name)) for name in _CONNECTION_TYPES}}


_STORED: Final = "profiles"
"""What the connections are called in the file, in all versions."""
_TYPES: Final[Mapping[str, Any]] = {
    **_types(Preferences, "unknown", "connections", "unread_connections"),
    _STORED: list[JsonValue],
}


def _preferences(stored: dict[str, JsonValue]) -> tuple[Preferences, tuple[str, ...]]:
    """What can be used, and what cannot."""
    found = {name: stored.pop(name) for name in _TYPES if name in stored}
    bad = [name for name, value in found.items() if not _fits(value, _TYPES[name])]
    good = {name: value for name, value in found.items() if name not in bad}
    connections, unread, said = _connections(cast("list[JsonValue]", good.pop(_STORED, [])))
    values = cast("dict[str, Any]", good)
    return Preferences(**values, connections=connections, unknown=stored, unread_connections=unread), (*bad, *said)


def _connections(entries: list[JsonValue]) -> tuple[tuple[ShopConnection, ...], tuple[JsonValue, ...], tuple[str, ...]]:
    """The stored connections, the invalid ones, and a message about them. Of two with the same name or folder the first
    is used."""
    connections: list[ShopConnection] = []
    unread: list[JsonValue] = []
    said: list[str] = []
    for place, entry in enumerate(entries, 1):
        connection, bad = _connection(entry)
        if connection is None or any(one.slug == connection.slug or one.name == connection.name for one in connections):
            unread.append(entry)
            said.append(_named(entry, place))
        else:
            connections.append(connection)
            said += [f"{connection.name}: {name}" for name in bad]
    return tuple(connections), tuple(unread), tuple(said)


def _named(entry: JsonValue, place: int) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) and name.strip() else f"{_STORED}[{place}]"


def _connection(entry: JsonValue) -> tuple[ShopConnection | None, list[str]]:
    """A stored connection, None where what it must have cannot be used; and what else of it is left out as unusable."""
    if not isinstance(entry, dict):
        return None, []
    known = {name: entry[name] for name in _CONNECTION_TYPES if name in entry}
    bad = [
        name for name, value in known.items() if not _fits(value, _CONNECTION_TYPES[name], _CONNECTION_CHECKS.get(name))
    ]
    if not {"name", "slug", "url"} <= known.keys() - set(bad):
        return None, []
    good = {name: value for name, value in known.items() if name not in bad}
    unknown = {name: value for name, value in entry.items() if name not in _CONNECTION_TYPES}
    try:
        return ShopConnection(**cast("dict[str, Any]", good), unknown=unknown), bad
    except BadInput:
        return None, []


def _fits(value: JsonValue, kind: Any, check: Callable[[str], bool] | None = None) -> bool:
    try:  # of an address, `urlsplit` raises for what is none: `http://[::1`
        read = convert(value, kind)
        return check is None or read is None or check(read)
    except ValueError:
        return False


class Remembered:
    """The preferences at hand; each change is written by a thread of its own, the newest one last."""

    def __init__(self, store: PreferenceStore) -> None:
        self.now = store.load()
        self._store = store
        self._changed = threading.Condition()
        self._dirty = False
        self._writing = False
        self.error: StorageError | None = None

    @property
    def trouble(self) -> StorageError | None:
        """The message about the file found at the start."""
        return self._store.trouble

    def update(self, change: Callable[[Preferences], Preferences]) -> None:
        """Change them, and have them written soon; any thread."""
        with self._changed:
            self.now = change(self.now)
            self._dirty = True
            if not self._writing:
                self._writing = True
                begin(self._write, "preferences")

    def flush(self, timeout_s: float = 2.0) -> bool:
        """Wait until all is written; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._writing, timeout_s)

    def _write(self) -> None:
        while True:
            with self._changed:
                if not self._dirty:
                    self._writing = False
                    self._changed.notify_all()
                    return
                self._dirty = False
            try:
                self._store.save(self.now)
                self.error = None
            except StorageError as error:
                self.error = error
