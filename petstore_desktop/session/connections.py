"""Making, changing and finding connections: what the window and the commands share."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.api.address import clean_base_url, origin_of
from petstore_desktop.contract.operations import FIELD_NAMES, PARAMETER
from petstore_desktop.data_folder import Places, slug, storage_errors
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.quota import OWN_NUMBERS, Plan
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.platform_support import make_private_directory, write_whole
from petstore_desktop.preferences import Preferences, ShopConnection
from petstore_desktop.regular_files import named_path

if TYPE_CHECKING:
    from petstore_desktop.preferences import ConnectionSettings


def find(preferences: Preferences, name: str) -> ShopConnection:
    """The connection of exactly this name. Raises BadInput, with the names that are like it."""
    connection = preferences.connection(name.strip())
    if connection is None:
        raise BadInput("no-such-connection", name=name, alike=alike(preferences, name))
    return connection


def alike(preferences: Preferences, name: str) -> tuple[str, ...]:
    """The names of other connections that differ from this name only in case, accents and punctuation, or whose folder
    is called so. They are named to the person, and never taken for it."""
    name = name.strip()
    folder, folded = slug(name), _folded(name)
    return tuple(
        one.name
        for one in preferences.connections
        if one.name != name and (one.slug in (name, folder) or slug(one.name) == folder or _folded(one.name) == folded)
    )


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def added_or_changed(
    preferences: Preferences,
    name: str,
    url: str,
    plan: Plan | None,
    document: str | None = None,
    ca_file: str | None = None,
    read_only: bool | None = None,
    bindings: Mapping[str, JsonValue] | None = None,
) -> tuple[Preferences, ShopConnection]:
    """The preferences with this connection added or changed, and the connection. None leaves a value unchanged; a plan
    without a name means an unknown plan, an empty `ca_file` none; `bindings` are added. Raises BadInput."""
    name = _named(name)
    address = clean_base_url(url)
    known = preferences.connection(name)
    if known is not None and origin_of(known.url) is not None and clean_base_url(known.url) == address:
        address = known.url  # as it was spelled then: its key, and all that is kept of it, goes by that
    if known is None:
        connection = ShopConnection(
            name, preferences.free_slug(name), address, document=document, ca_file=ca_file or None
        )
    else:
        trusted = known.ca_file if ca_file is None else ca_file or None
        connection = replace(known, url=address, document=document or known.document, ca_file=trusted)
    connection = _with_plan(connection, plan)
    if read_only is not None:
        connection = replace(connection, read_only=read_only)
    connection = replace(connection, bindings={**connection.bindings, **(bindings or {})})
    return replace(preferences.with_connection(connection), last_connection=connection.slug), connection


def with_settings(
    preferences: Preferences, slug: str, settings: ConnectionSettings
) -> tuple[ShopConnection, ShopConnection]:
    """A connection as it is, and with these settings. Blocks. Raises BadInput, DocumentUnusable, StorageError."""
    before = preferences.of_slug(slug)
    if before is None:
        raise BadInput("no-such-connection", name=settings.name)
    named = with_values(replace(before, name=_named(settings.name)), settings.values)
    document = usable_document(settings.document or None, before.url, named.by_hand)
    ca_file = usable_ca_file(settings.ca_file or None)
    connection = replace(
        _with_plan(named, settings.plan),
        colour=settings.colour or None,
        document=document,
        ca_file=ca_file,
        read_only=settings.read_only,
    )
    preferences.with_connection(connection)  # its name may be taken
    return before, connection


def with_values(connection: ShopConnection, values: Mapping[str, str]) -> ShopConnection:
    """The connection with these values for parameters. Raises BadInput `value-kept` for another value than the one that
    it has: its records and changes belong to that."""
    given: dict[str, JsonValue] = {PARAMETER + name: value for name, value in values.items() if value}
    for name, value in given.items():
        if connection.bindings.get(name, value) != value:
            raise BadInput("value-kept", parameter=name.removeprefix(PARAMETER), name=connection.name)
    return replace(connection, bindings={**connection.bindings, **given}) if given else connection


def usable_document(document: str | None, address: str, bindings: Mapping[str, object] | None = None) -> str | None:
    """A document that can be used for a service at that address (see `document_place`), with what a person bound by
    hand; None for none. Blocks. Raises BadInput, DocumentUnusable."""
    if document is None:
        return None
    place = document_place(document)
    if "://" in place:
        clean_base_url(place)
        return place
    from petstore_desktop.contract.binding.load import load_file

    load_file(place, address=address, bindings=bindings)
    return place


def document_place(document: str) -> str:
    """Where a document is: its own address, the name of a profile that comes with the program, or its whole path."""
    from petstore_desktop.contract.binding.load import shipped_profiles

    return document if "://" in document or document in shipped_profiles() else str(named_path(document))


def service_profile(said: str) -> bytes:
    """A profile by the name of one that comes with the program, or by its file. Blocks. Raises BadInput,
    DocumentUnusable."""
    from petstore_desktop.contract.binding.load import shipped_profiles
    from petstore_desktop.contract.document import local_file
    from petstore_desktop.contract.profile.reading import contract_of

    shipped = shipped_profiles()
    file = shipped.get(said, named_path(said))
    if said not in shipped and "/" not in said and not file.exists():
        raise BadInput("no-such-profile", path=said, names=", ".join(sorted(shipped)))
    data = local_file.read(str(file))
    contract_of(data)
    return data


def keep_profile(places: Places, slug: str, data: bytes) -> str:
    """Keep a profile with its connection; returns its path there. Blocks. Raises StorageError."""
    file = places.profile(slug)
    with storage_errors(file):
        make_private_directory(places.connection(slug))
        write_whole(file, data)
    return str(file)


def usable_ca_file(path: str | None) -> str | None:
    """A file with certificates, by its whole path; None for none. Blocks. Raises BadInput."""
    if path is None:
        return None
    from petstore_desktop.api.http.certificates import read_certificates

    path = str(named_path(path))
    read_certificates(path)
    return path


def with_bindings(preferences: Preferences, slug: str, bindings: Mapping[str, str]) -> Preferences:
    """The preferences with what a person bound by hand in the connection of this slug, if there is one."""
    known = preferences.of_slug(slug)
    return preferences if known is None else preferences.with_connection(bound_by_hand(known, bindings))


def bound_by_hand(connection: ShopConnection, bindings: Mapping[str, str]) -> ShopConnection:
    """The connection with these operations and fields in the place of all that were bound by hand before."""
    fields: dict[str, JsonValue] = {name: bindings[name] for name in FIELD_NAMES if name in bindings}
    operations: dict[str, JsonValue] = {name: said for name, said in bindings.items() if name not in fields}
    return replace(connection, bindings=operations, fields=fields)


def _named(name: str) -> str:
    if not name.strip():
        raise BadInput("name-empty")
    return name.strip()


def _with_plan(connection: ShopConnection, plan: Plan | None) -> ShopConnection:
    if plan is None:
        return connection
    if plan.name not in OWN_NUMBERS:
        return replace(connection, plan=plan.name, per_minute=None, per_day=None)
    return replace(connection, plan=plan.name or None, per_minute=plan.per_minute, per_day=plan.per_day)
