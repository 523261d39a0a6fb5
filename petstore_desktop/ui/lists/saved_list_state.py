"""The state of a list that is saved for the next start (`window/window_state` saves it): columns, sort, filters, title
and current row; and the first rows, which are shown again before anything is read."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from petstore_desktop.domain.records import LocalId, Ref, key_from_text, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.resource_tab import ResourceTab

_FIRST_ROWS, _ABOVE = 100, 20
"""How many rows are stored for the next start, and how many of them above the screen."""


def list_state(tab: ResourceTab) -> dict[str, object]:
    """Columns, sort, filter and current row as plain JSON values."""
    current = tab.current_ref()
    return {
        "columns": tab.columns.state(),
        "sort": [[name, down] for name, down in tab.table.sort],
        **tab.filters.save_state(),
        "title": tab.bar.title(),
        "current": None if current is None else key_to_text(current.key),
    }


def restore_list(tab: ResourceTab, state: Mapping[str, object]) -> None:
    """Show a list as `list_state` said."""
    columns = state.get("columns")
    if isinstance(columns, Mapping):
        tab.columns.restore(cast("Mapping[str, object]", columns))
    _restore_sort(tab, state.get("sort"))
    if state.get("filter") or state.get("filters"):
        tab.filters.restore_state(state)
    title = state.get("title")
    if isinstance(title, str) and title:
        tab.bar.set_title(title)
    key = state.get("current")
    if isinstance(key, str):
        with suppress(ValueError):
            tab.awaited = Ref(tab.resource, key_from_text(key))


def _restore_sort(tab: ResourceTab, value: object) -> None:
    known = {column.id for column in tab.table.columns}
    pairs = cast("list[object]", value) if isinstance(value, list) else []
    two = [cast("list[object]", pair) for pair in pairs if isinstance(pair, list)]
    named = [(pair[0], bool(pair[1])) for pair in two if len(pair) == 2]
    tab.sort_by([(name, down) for name, down in named if isinstance(name, str) and name in known])


def first_rows(tab: ResourceTab) -> dict[str, object]:
    """The rows on the screen and some around them, so that the next start shows these at once."""
    table, top = tab.table, max(0, tab.view.rowAt(0))
    keys = [table.key_at(row) for row in range(max(0, top - _ABOVE), table.row_count)[:_FIRST_ROWS]]
    return {
        "list": tab.resource.value,
        "keys": [key_to_text(key) for key in keys if not isinstance(key, LocalId)],
        "top": key_to_text(keys[min(top, _ABOVE)]) if top else None,
        "counts": [table.row_count, table.total],
        "in_part": tab.shared.shop.desk.load(tab.resource).lacks_records,
        "longest": tab.shared.longest_ids.get(tab.resource, ""),
    }


def show_first_rows(tab: ResourceTab, kept: Mapping[str, object]) -> None:
    """Show what `first_rows` gave; nothing moves when the other rows come."""
    counts, top, longest = kept.get("counts"), kept.get("top"), kept.get("longest")
    if isinstance(longest, str):
        tab.shared.longest_ids[tab.resource] = longest
    tab.keep_still()
    if isinstance(counts, list):
        numbers = [number for number in cast("list[object]", counts) if isinstance(number, int)]
        tab.state.expect(numbers, in_part=kept.get("in_part") is True)
    with suppress(ValueError):
        row = tab.table.position(key_from_text(top)) if isinstance(top, str) else 0
        if row > 0:
            tab.view.verticalScrollBar().setValue(row * tab.view.rowHeight(row))
