"""Views as plain JSON, and back: as the window keeps them, and as a file holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.jump.views import ColumnLayout, SavedView, ViewList, new_id
from petstore_desktop.domain.records import JsonValue, Resource

LONGEST_NAME = 80
"""The most characters of a view's name."""
_SHOWN = 40
"""Of a name that is too long so much is said."""


class InvalidView(Struct, frozen=True):
    """An invalid view. Codes: `not-a-view`, `no-name`, `long-name`, `unknown-list`, `unknown-column`; `what`: the list
    or the column; `place`: its number in the file, from 1."""

    code: str
    name: str = ""
    what: str = ""
    place: int = 0


def to_json(view: SavedView) -> dict[str, JsonValue]:
    """One view."""
    columns = view.columns
    return {
        "id": view.id,
        "name": view.name,
        "list": view.resource.value,
        "text": view.text,
        "filters": dict(view.filters),
        "sort": [[column, down] for column, down in view.sort],
        "columns": None if columns is None else {"hidden": [*sorted(columns.hidden)], "order": [*columns.order]},
    }


def from_json(value: object) -> SavedView | InvalidView:
    """What `to_json` gave; what names a column that is not there does not fit, or it would show other rows."""
    if not isinstance(value, Mapping):
        return InvalidView("not-a-view")
    found = cast("Mapping[str, object]", value)
    name = found.get("name")
    if not isinstance(name, str) or not name.strip():
        return InvalidView("no-name")
    if len(name.strip()) > LONGEST_NAME:
        return InvalidView("long-name", f"{name.strip()[:_SHOWN]}…")
    wanted = found.get("list")
    if not isinstance(wanted, str) or wanted not in set(Resource):
        return InvalidView("unknown-list", name, str(wanted)[:_SHOWN])
    resource = Resource(wanted)
    known = {column.id for column in COLUMNS[resource]}
    filters, sort = _filters(found.get("filters")), _sort(found.get("sort"))
    text, id_ = found.get("text", ""), found.get("id", "")
    if filters is None or sort is None or not isinstance(text, str) or not isinstance(id_, str):
        return InvalidView("not-a-view", name)
    strange = [column for column in (*filters, *(column for column, _ in sort)) if column not in known]
    if strange:
        return InvalidView("unknown-column", name, strange[0])
    columns = _columns(found.get("columns"), known)
    return SavedView(name.strip(), resource, text, filters, sort, columns, id=id_ or new_id())


def texts_by_name(value: object) -> dict[str, str]:
    """The texts of a JSON object by their names; anything else is left out."""
    pairs = cast("Mapping[object, object]", value).items() if isinstance(value, Mapping) else ()
    return {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}


def _filters(value: object) -> dict[str, str] | None:
    found = texts_by_name(value)
    return found if value is None or found == value else None


def _sort(value: object) -> tuple[tuple[str, bool], ...] | None:
    sort: list[tuple[str, bool]] = []
    for pair in cast("list[object]", value) if isinstance(value, list) else ():
        match pair:
            case [str() as column, bool() as down]:
                sort.append((column, down))
            case _:
                return None
    return tuple(sort) if isinstance(value, list | None) else None


def _columns(value: object, known: set[str]) -> ColumnLayout | None:
    if not isinstance(value, Mapping):
        return None
    found = cast("Mapping[str, object]", value)
    return ColumnLayout(
        frozenset(name for name in _texts(found.get("hidden")) if name in known),
        tuple(name for name in _texts(found.get("order")) if name in known),
    )


def columns_from(state: Mapping[str, object]) -> ColumnLayout:
    """Of what a list keeps of its columns, what belongs to a view: their widths do not."""
    return ColumnLayout(frozenset(_texts(state.get("hidden"))), tuple(_texts(state.get("order"))))


def _texts(value: object) -> list[str]:
    return [item for item in cast("list[object]", value) if isinstance(item, str)] if isinstance(value, list) else []


# ---------------------------------------------------------------- all of them


def view_list_to_json(view_list: ViewList, unread: Sequence[JsonValue] = ()) -> dict[str, JsonValue]:
    """What a person made of the views; `unread` is kept with it."""
    return {
        "own": [*(to_json(view) for view in view_list.own), *unread],
        "gone": [*sorted(view_list.gone)],
        "order": [*view_list.order],
    }


def view_list_from_json(shipped: tuple[SavedView, ...], value: object) -> tuple[ViewList, tuple[JsonValue, ...]]:
    """What `view_list_to_json` gave, and of it what cannot be read, to be kept."""
    found = cast("Mapping[str, object]", value if isinstance(value, Mapping) else {})
    listed = found.get("own")
    entries = cast("list[JsonValue]", listed) if isinstance(listed, list) else []
    read = [(from_json(entry), entry) for entry in entries]
    own = {view.id: view for view, _ in read if isinstance(view, SavedView)}
    unread = tuple(entry for view, entry in read if isinstance(view, InvalidView))
    known = {view.id for view in shipped}
    gone = frozenset(_texts(found.get("gone"))) & known
    return ViewList(shipped, tuple(own.values()), gone - own.keys(), tuple(_texts(found.get("order")))), unread


class ImportedViews(Struct, frozen=True):
    """What came of a file of views: how many are new, which of them got another name because theirs was taken, how many
    are here already, and what does not fit."""

    view_list: ViewList
    new: tuple[SavedView, ...] = ()
    renamed: tuple[SavedView, ...] = ()
    same: int = 0
    invalid: tuple[InvalidView, ...] = ()


def take_in(view_list: ViewList, values: Iterable[object]) -> ImportedViews:
    """Add the views of a file. Existing views stay; a new one whose name is taken gets a number."""
    new: list[SavedView] = []
    renamed: list[SavedView] = []
    invalid: list[InvalidView] = []
    same = 0
    for place, value in enumerate(values, 1):
        view = from_json(value)
        if isinstance(view, InvalidView):
            invalid.append(replace(view, place=place))
            continue
        known = view_list.named(view.name, view.resource)
        if known is not None and replace(view, id=known.id, name=known.name, shipped=known.shipped) == known:
            same += 1
            continue
        view = replace(view, id=new_id(), name=view.name if known is None else _free_name(view_list, view))
        (new if known is None else renamed).append(view)
        view_list = view_list.with_view(view)
    return ImportedViews(view_list, tuple(new), tuple(renamed), same, tuple(invalid))


def _free_name(view_list: ViewList, view: SavedView) -> str:
    number = 2
    while view_list.named(f"{view.name} {number}", view.resource) is not None:
        number += 1
    return f"{view.name} {number}"
