"""The folder of one rehearsal, below that of its connection: a data folder of its own, with a copy of the rows.

Neither the service's address nor a key goes in. What a rehearsal leaves is removed at its end, or at the next start,
except changes that a person wants to keep (`kept.json`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop import log, platform_support
from petstore_desktop.clock import unique
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.data_folder import MOST_OWN, Places, storage_errors
from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan, RehearsalScene
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import (
    ALL_SPECS,
    Extra,
    JsonValue,
    Key,
    Ref,
    Resource,
    RowBlock,
    ServiceId,
    key_from_text,
    key_to_text,
    status_choices,
)
from petstore_desktop.platform_support import make_private_directory, take_lock, write_whole
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.regular_files import read_regular
from petstore_desktop.store.journal.values_json import decode_fields, decode_intent, encode
from petstore_desktop.store.journal_address import open_journal
from petstore_desktop.store.minimums import valid_minimums, write_minimums
from petstore_desktop.store.mirror.copying import copy_rows, count_slashed
from petstore_desktop.store.mirror.reader import MirrorReader

SLUG: Final = "rehearsal"
"""The connection in a rehearsal's data folder."""
ADDRESS: Final = "demo"
"""Which service its files belong to, as `session.service_address` names it."""
_FOLDER: Final = "rehearsals"
_LOCK: Final = "running.lock"
_PATHS: Final[Mapping[Op, tuple[str, str]]] = {
    Op.PETS_LIST: ("GET", "/pets"),
    Op.PET_READ: ("GET", "/pets/{petId}"),
    Op.PET_CREATE: ("POST", "/pets"),
    Op.PET_CHANGE: ("PATCH", "/pets/{petId}"),
    Op.PET_DELETE: ("DELETE", "/pets/{petId}"),
    Op.CATEGORIES_LIST: ("GET", "/categories"),
    Op.CATEGORY_READ: ("GET", "/categories/{categoryId}"),
    Op.CATEGORY_CREATE: ("POST", "/categories"),
    Op.CATEGORY_CHANGE: ("PATCH", "/categories/{categoryId}"),
    Op.CATEGORY_DELETE: ("DELETE", "/categories/{categoryId}"),
    Op.ORDERS_LIST: ("GET", "/store/orders"),
    Op.ORDER_READ: ("GET", "/store/orders/{orderId}"),
    Op.ORDER_CREATE: ("POST", "/store/orders"),
    Op.ORDER_CHANGE: ("PATCH", "/store/orders/{orderId}"),
    Op.ORDER_CANCEL: ("DELETE", "/store/orders/{orderId}"),
    Op.INVENTORY_LIST: ("GET", "/inventory"),
    Op.STOCK_READ: ("GET", "/inventory/{petId}"),
    Op.STOCK_CHANGE: ("PATCH", "/inventory/{petId}"),
}
"""Where the demo shop has each operation."""


class RehearsalFolder(Struct, frozen=True):
    """The files of one rehearsal."""

    path: Path

    @property
    def places(self) -> Places:
        """Its data folder."""
        return Places(self.path)

    @property
    def said(self) -> Path:
        """What it was made with."""
        return self.path / "rehearsal.json"

    @property
    def records(self) -> Path:
        """What the demo shop is filled with."""
        return self.path / "records.jsonl"

    @property
    def books(self) -> Path:
        """The demo shop's own file."""
        return self.path / "shop.db"

    @property
    def kept(self) -> Path:
        """The changes that a person wants in the real shop."""
        return self.path / "kept.json"

    @property
    def mark(self) -> Path:
        """Tells which service's rows it has, without its address."""
        return self.path / "service.sha256"

    def is_of(self, address: str) -> bool:
        """Whether it was made of the rows of this service. Blocks."""
        with suppress(OSError):
            return read_regular(self.mark, MOST_OWN) == _mark_of(address)
        return False

    def remove(self) -> None:
        """Remove all of it, as far as the system lets go of it."""
        shutil.rmtree(self.path, ignore_errors=True)


class Rehearsed(Struct, frozen=True):
    """What a rehearsal was made with. `shop`: the connection's name; `data` and `slug`: where it is kept; `rules`: of
    the demo shop, see its file of records."""

    shop: str
    slug: str
    data: Path
    plan: RehearsalPlan
    rules: Mapping[str, JsonValue]
    colour: str | None = None
    slashed: int = 0
    """Records whose ids have a slash: the demo shop shows them, and finds none of them by its id."""

    @property
    def text_ids(self) -> bool:
        """Whether records have texts for ids: the demo shop gives numbers to new ones."""
        return self.rules.get("text_ids") is True


def make_folder(
    places: Places,
    connection: ShopConnection,
    address: str,
    contract: Contract | None,
    plan: RehearsalPlan,
    preferences: Preferences,
) -> RehearsalFolder:
    """Make the folder of a new rehearsal, with a copy of the rows as they are here, the minimum stock, and how the
    window looks. `address`: the service's, which goes by no name into it. Blocks. Raises StorageError."""
    folder = RehearsalFolder(places.connection(connection.slug) / _FOLDER / unique())
    own = folder.places
    try:
        with storage_errors(folder.path):
            make_private_directory(own.connection(SLUG))
            write_whole(folder.mark, _mark_of(address))
        _set_down(own, preferences, connection.slug)
        open_journal(own.journal(SLUG), ADDRESS).journal.close()
        etags = contract is None or any(one.conditional for one in contract.operations.values())
        tag = unique()[:6]
        etag = f'"{tag}-{{table}}1"' if etags else None
        copy_rows(places.mirror(connection.slug), own.mirror(SLUG), ADDRESS, etag)
        write_minimums(own.minimums(SLUG, ADDRESS), valid_minimums(places.minimums(connection.slug, address)))
        rules = {**_rules(own, contract), "etags": etags, "tag": tag}
        slashed = count_slashed(own.mirror(SLUG))
        _write_said(
            folder, Rehearsed(connection.name, connection.slug, places.data, plan, rules, connection.colour, slashed)
        )
    except BaseException:
        folder.remove()
        raise
    return folder


def _set_down(own: Places, preferences: Preferences, slug: str) -> None:
    """The window as it is, without the connections."""
    window = {SLUG: preferences.window[slug]} if slug in preferences.window else {}
    kept = replace(preferences, last_connection=None, connections=(), unread_connections=(), window=window)
    PreferenceStore(own.preferences).save(kept)


def _rules(own: Places, contract: Contract | None) -> dict[str, JsonValue]:
    """The demo shop's rules in the place of the specification's: as the real service has them."""
    reader = MirrorReader(own.mirror(SLUG))
    met, text_ids = set[str](), False
    try:
        for resource in Resource:
            for block in reader.blocks(resource):
                text_ids = text_ids or any(isinstance(key, str) for key in block.keys)
                words = () if resource is Resource.ORDERS else block.columns.get("status", ())
                met.update(word for word in words if isinstance(word, str) and word)
    finally:
        reader.close()
    told = contract.statuses.get(Resource.PETS, ()) if contract is not None else ()
    rules: dict[str, JsonValue] = {"statuses": [*status_choices(told, frozenset(met))], "text_ids": text_ids}
    if contract is not None:
        rules["offers"] = list(_offered(contract))
    return rules


def _offered(contract: Contract) -> Iterator[str]:
    for op, operation in contract.operations.items():
        method, path = _PATHS[op]
        if method == "PATCH" and operation.replaces and "orders" not in path:
            method = "PUT"  # the demo shop changes an order by PATCH alone
        yield f"{method} {path}"


def _write_said(folder: RehearsalFolder, made: Rehearsed) -> None:
    said = {
        "shop": made.shop,
        "slug": made.slug,
        "data": str(made.data),
        "per_minute": made.plan.per_minute,
        "per_day": made.plan.per_day,
        "scene": made.plan.scene.value,
        "rules": dict(made.rules),
        "colour": made.colour,
        "slashed": made.slashed,
    }
    with storage_errors(folder.said):
        write_whole(folder.said, json.dumps(said).encode())


def read_made(folder: RehearsalFolder) -> Rehearsed:
    """What a rehearsal was made with. Blocks. Raises StorageError."""
    with storage_errors(folder.said):
        try:
            said = cast("dict[str, JsonValue]", json.loads(read_regular(folder.said, MOST_OWN)))
            limits = [one if isinstance(one, int) else None for one in (said["per_minute"], said["per_day"])]
            plan = RehearsalPlan(limits[0], limits[1], RehearsalScene(said["scene"]))
            rules, colour = cast("dict[str, JsonValue]", said["rules"]), said["colour"]
            where = (str(said["shop"]), str(said["slug"]), Path(str(said["data"])))
            slashed = said["slashed"]
            colour = colour if isinstance(colour, str) else None
            return Rehearsed(*where, plan, rules, colour, slashed if isinstance(slashed, int) else 0)
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError("damaged", path=str(folder.said), why=str(error)) from error


class KeptFile(Struct, frozen=True):
    """Changes of a rehearsal that a person wants in the shop. `batch`: the id that they are saved under, so that they
    are not saved twice; `at`: when they were kept (UTC epoch seconds); `left_out`: how many were not kept."""

    folder: RehearsalFolder
    batch: str
    at: float
    changes: tuple[NewChange, ...]
    left_out: int = 0


def write_kept(folder: RehearsalFolder, changes: Iterable[NewChange], left_out: int, now: float) -> None:
    """Write the changes to be kept, whole or not at all. Blocks. Raises StorageError."""
    kept: list[JsonValue] = [
        {
            "resource": one.ref.resource.value,
            "key": key_to_text(one.ref.key),
            "intent": encode(one.intent),
            "base": encode(one.base),
        }
        for one in changes
    ]
    said: dict[str, JsonValue] = {"batch": unique(), "at": now, "left_out": left_out, "changes": kept}
    with storage_errors(folder.kept):
        write_whole(folder.kept, json.dumps(said).encode())


def _mark_of(address: str) -> bytes:
    return hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest().encode()


def read_kept(places: Places, slug: str, address: str) -> list[KeptFile]:
    """The changes to be kept of a connection, of rehearsals of this service that are over. Blocks. Raises StorageError
    where none of them can be read."""
    found, errors = list[KeptFile](), list[StorageError]()
    for one in folders(places, slug):
        if one.kept.exists() and not is_running(one) and one.is_of(address):
            try:
                found.append(_kept(one))
            except StorageError as error:
                errors.append(error)
    if errors and not found:
        raise errors[0]
    return found


def _kept(folder: RehearsalFolder) -> KeptFile:
    with storage_errors(folder.kept):
        try:
            said = json.loads(read_regular(folder.kept, MOST_OWN))
            changes = tuple(
                NewChange(
                    Ref(Resource(one["resource"]), key_from_text(one["key"])),
                    decode_intent(one["intent"]),
                    decode_fields(one["base"]),
                )
                for one in said["changes"]
            )
            return KeptFile(folder, str(said["batch"]), float(said["at"]), changes, int(said["left_out"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise StorageError("damaged", path=str(folder.kept), why=str(error)) from error


def folders(places: Places, slug: str) -> list[RehearsalFolder]:
    """The rehearsals of a connection, under way or left behind, oldest first."""
    found = places.connection(slug) / _FOLDER
    with storage_errors(found):
        try:
            made = [entry for entry in found.iterdir() if entry.is_dir()]
        except FileNotFoundError:
            return []
        return [RehearsalFolder(one) for one in sorted(made, key=lambda one: one.stat().st_mtime)]


def is_running(folder: RehearsalFolder) -> bool:
    """Whether a program has this rehearsal open."""
    try:
        lock = take_lock(folder.path / _LOCK)
    except OSError:
        return False  # it is gone
    if lock is None:
        return True
    lock.close()
    return False


def remove_leftovers(places: Places, slug: str, spared: Container[Path] = ()) -> None:
    """Remove what killed rehearsals left; changes to be kept stay, and what is `spared`. Raises StorageError."""
    for folder in folders(places, slug):
        if folder.path not in spared and not folder.kept.exists() and not is_running(folder):
            folder.remove()


def clean_environment(given: Mapping[str, str], hidden: Iterable[str]) -> dict[str, str]:
    """The environment of a rehearsal's process: without the key, the proxies, and whatever holds one of the `hidden`
    texts or a known secret."""
    texts = [text for text in hidden if text]
    return {
        name: value
        for name, value in platform_support.clean_environment(given).items()
        if not name.lower().endswith("_proxy")
        and not any(text in value for text in texts)
        and not log.holds_secret(value)
    } | {"NO_PROXY": "*"}


def process_environment(url: str) -> dict[str, str]:
    """The same of this process, without the service's address."""
    return clean_environment(os.environ, (url, url.partition("://")[2].partition("/")[0]))


def write_records(folder: RehearsalFolder, rules: Mapping[str, JsonValue]) -> dict[Resource, set[Key]]:
    """Write the file that the demo shop is filled with; the ids of all records. Raises OSError, StorageError."""
    known: dict[Resource, set[Key]] = {resource: set() for resource in Resource}
    reader = MirrorReader(folder.places.mirror(SLUG))
    try:
        with folder.records.open("x", encoding="utf-8", errors="backslashreplace") as file:  # house: file - new
            file.write(json.dumps(dict(rules)) + "\n")
            for resource in Resource:
                for block in reader.blocks(resource):
                    known[resource].update(block.keys)
                    _write(file, resource, block)
    finally:
        reader.close()
    return known


def _write(file: IO[str], resource: Resource, block: RowBlock) -> None:
    name = json.dumps(resource.value)
    file.writelines(f"[{name}, {json.dumps(record)}]\n" for record in records_of(block))


def records_of(block: RowBlock) -> Iterator[dict[str, JsonValue]]:
    """Rows as the demo shop serves them: with their ids, what they have of the known fields, and all unknown ones."""
    specs = ALL_SPECS[block.resource]
    key, *fields = specs
    columns = [(spec.wire, block.columns[spec.name]) for spec in fields]
    for place, own in enumerate(block.keys):
        record: dict[str, JsonValue] = {}
        _put_key(record, key.wire, own)
        for wire, values in columns:
            value = values[place]
            if value is not None:
                record[wire] = value  # pyright: ignore[reportArgumentType] -- the service's, so no LocalId
        yield _with_extra(record, block.extras.get(place))


def _put_key(record: dict[str, JsonValue], wire: str, key: Key) -> None:
    if isinstance(key, ServiceId):
        record[wire] = key


def _with_extra(record: dict[str, JsonValue], extra: Extra | None) -> dict[str, JsonValue]:
    return record if not extra else {**extra, **record}
