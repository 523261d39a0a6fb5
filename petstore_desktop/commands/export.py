"""`petstore-desktop export NAME RESOURCE`: write a list to a file, from the copy kept here. No request; a window may be
open."""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from petstore_desktop.commands.sentences import STDOUT, find_connection, note, shows_less, typed
from petstore_desktop.contract import cache
from petstore_desktop.contract.operations import Verb
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.load_state import kept_load
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Resource, ServiceId, calendar_moment
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.records_table import RecordNames, cells, names_of
from petstore_desktop.exchange.records_table import others as others_of
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.regular_files import named_path, open_regular
from petstore_desktop.session.session import service_address
from petstore_desktop.store.mirror.reader import MirrorReader

_NAMED = {
    Resource.PETS: (Resource.CATEGORIES,),
    Resource.CATEGORIES: (),
    Resource.ORDERS: (Resource.PETS,),
    Resource.INVENTORY: (Resource.PETS,),
}
"""The lists whose names stand beside their ids."""


_ENTRIES = {
    Resource.PETS: ("pet", "pets"),
    Resource.CATEGORIES: ("category", "categories"),
    Resource.ORDERS: ("order", "orders"),
    Resource.INVENTORY: ("stock entry", "stock entries"),
}


_ENDINGS: dict[str, Format] = {".csv": "csv", ".xlsx": "xlsx", ".json": "json"}


def export(data_dir: str | None, name: str, resource: Resource, asked: Format | None, out: str | None) -> int:
    """Do it; the exit code: 1 where the list was never read to its end, so that this is a part. `asked` None: as the
    file ends; `out` None, -: to stdout. Raises BadInput, StorageError."""
    format_ = asked or _ENDINGS.get(Path(out or "").suffix.lower(), "csv")
    places, connection = find_connection(data_dir, name)
    out = None if out == STDOUT else out
    if out is None and format_ == "xlsx" and sys.stdout.isatty():
        raise BadInput("needs-out", format=format_)
    with closing(MirrorReader(places.mirror(connection.slug), service_address(connection))) as reader:
        if out is not None:
            return _write(places, reader, connection, resource, format_, named_path(out))
        with TemporaryDirectory(prefix="petstore-export-", ignore_cleanup_errors=True) as folder:
            whole = Path(folder) / f"export.{format_}"
            code = _write(places, reader, connection, resource, format_, whole)
            with open_regular(whole) as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            return code


def _why_nothing(places: Places, connection: ShopConnection, resource: Resource) -> str:
    """The code of why nothing is kept of a list: it was not read yet, or the service has none."""
    contract = cache.read(places.contract(connection.slug), service_address(connection))
    return "nothing-kept" if contract is None or contract.offers(resource, Verb.LIST) else "no-list"


def _write(
    places: Places, reader: MirrorReader, connection: ShopConnection, resource: Resource, format_: Format, target: Path
) -> int:
    facts = reader.facts(resource)
    load = kept_load(facts.as_of, facts.gaps)
    if facts.as_of is None and not facts.count:
        raise BadInput(_why_nothing(places, connection, resource), resource=resource.value, name=connection.name)
    names = RecordNames(**{named.value: _names(reader, named) for named in _NAMED[resource]})
    others = any(others_of(resource, row.record.extra) for rows in reader.stream(resource) for row in rows)
    text_ids = [one for one in (resource, *_NAMED[resource]) if reader.has_text_ids(one)]
    file = RecordsFile(target, resource, format_, others=others, text_ids=text_ids)
    try:
        for rows in reader.stream(resource):
            file.write([cells(resource, row, names, others) for row in rows])
        count = file.finish(load.counted(facts.count))
    finally:
        file.discard()
    written = f"{count} {_ENTRIES[resource][count != 1]} of {connection.name}"
    if facts.as_of is None:
        again = f"petstore-desktop sync {typed(connection.name)}"
        note(f"{written}, a part: this list was never read to its end; `{again}` reads the rest of it")
        return 1
    at = time.strftime("as of %Y-%m-%d %H:%M", time.localtime(calendar_moment(facts.as_of)))
    note(f"{written}, {at}{_lacks(facts.gaps)}")
    return 0


def _lacks(gaps: Gaps) -> str:
    """What the file may lack, or have too much."""
    said = f"; there may be more, because {shows_less(gaps)}" if gaps.cut_at is not None else ""
    if gaps.set_aside:
        records = "1 record is" if gaps.set_aside == 1 else f"{gaps.set_aside} records are"
        said += f"; {records} set aside, and not in it"
        said += f" ({visible(gaps.reasons[0])})" if gaps.reasons else ""
    if gaps.missing:
        records = "1 of its records was" if gaps.missing == 1 else f"{gaps.missing} of its records were"
        said += f"; {records} not shown when the list was last read and may be gone"
    return said


def _names(reader: MirrorReader, resource: Resource) -> dict[ServiceId, str]:
    pairs = (names_of(row.record) for rows in reader.stream(resource) for row in rows)
    return dict(pair for pair in pairs if pair is not None)
