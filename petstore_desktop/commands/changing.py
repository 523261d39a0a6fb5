"""`petstore-desktop import NAME RESOURCE FILE` and `petstore-desktop stock NAME PET +N|-N|=N`: what the window does
with a file or a stock cell, without the window. Each waits until the service has answered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from petstore_desktop.clock import unique
from petstore_desktop.commands.order_ends import WorkEnd, as_data, as_lines, ending_of
from petstore_desktop.commands.order_runs import carry_out
from petstore_desktop.commands.sentences import find_connection, note, show, show_json
from petstore_desktop.desk.scripts.order import Point, WorkOrder
from petstore_desktop.domain.records import Resource
from petstore_desktop.exchange.csv_reading import MOST_BYTES
from petstore_desktop.regular_files import named_path, open_regular
from petstore_desktop.ui.text.translate import speak_without_window, without_window

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.import_values import DateOrder


def import_rows(
    data_dir: str | None,
    name: str,
    resource: Resource,
    file: str,
    save: bool,
    as_json: bool,
    dates: DateOrder = "",
    numbers: Point = "",
    encoding: str = "",
    again: bool = False,
) -> int:
    """Import a file, or say what that would do and cost; the exit code: 0 only if all of it is, or could be, at the
    service. Raises ShopError."""
    path = str(named_path(file))
    return _done(
        data_dir,
        name,
        as_json,
        lambda slug: WorkOrder(
            unique(),
            slug,
            resource,
            save,
            path,
            dates=dates,
            numbers=numbers,
            encoding=encoding,
            content=_content(path, resource),
            again=again,
        ),
    )


def _content(path: str, resource: Resource) -> str:
    """32 hex digits that name what the file holds, as far as a file may be long; empty where it cannot be read."""
    digest = hashlib.sha256(f"{resource.value}:".encode())
    with suppress(OSError), open_regular(Path(path)) as file:
        while file.tell() <= MOST_BYTES and (piece := file.read(1 << 20)):
            digest.update(piece)
        return digest.hexdigest()[:32]
    return ""


def book_stock(data_dir: str | None, name: str, pet: str, amount: str, save: bool, as_json: bool) -> int:
    """Book in or out, or count, one pet; the exit code: 0 only if the service has it. Raises ShopError."""
    return _done(
        data_dir,
        name,
        as_json,
        lambda slug: WorkOrder(unique(), slug, Resource.INVENTORY, save, pet=pet, amount=amount),
    )


def _done(data_dir: str | None, name: str, as_json: bool, order_for: Callable[[str], WorkOrder]) -> int:
    places, connection = find_connection(data_dir, name)
    order = order_for(connection.slug)
    spoken = None if as_json else speak_without_window()  # scripts read English
    ending: WorkEnd = ending_of(places, connection, order, carry_out, str if as_json else without_window())
    if as_json:
        show_json(as_data(connection, order, ending))
    else:
        show(as_lines(order, ending))
    if ending.said:
        note(ending.said)
    del spoken
    return ending.code
