"""The palette of one window: what can be searched in it, its list, and what each answer means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.desk.jump.palette import Hit, Palette, parse_query
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.ui.palette.palette import PalettePopup
from petstore_desktop.ui.palette.palette_texts import Answers, action_entries, view_entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.jump.views import SavedView
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.widgets.fields import PaletteField


class PaletteRoom:
    """Loaded when the palette is first opened."""

    def __init__(self, parts: WindowParts, field: PaletteField, window: QWidget) -> None:
        self._parts = parts
        self._views: dict[str, SavedView] = {}
        self.popup = PalettePopup(field, Palette(parts.shop.desk.shop, self._may_look_up), window)

    def _may_look_up(self, resource: Resource) -> bool:
        return self._parts.shop.desk.allowed(f"look-up-{resource.value}").ok

    def open(self, recent: Sequence[tuple[str, Ref | None]]) -> None:
        """Show the list with the views and actions of this moment."""
        parts, views = self._parts, self._parts.views.all()
        self._views = {f"view:{view.id}": view for view in views}
        answers = Answers(parts.shop.desk, parts.actions, views, parts.shop.profile.name)
        self.popup.open([*view_entries(views), *action_entries(parts.actions)], recent, answers)

    def view(self, hit: Hit) -> SavedView | None:
        """The view that an answer means."""
        return self._views.get(hit.id)


def list_of(ref: Ref, typed: str) -> tuple[Resource, str]:
    """The rows around a record, as resource and filter text: the pets of a category; else what was typed, in its list.
    An id alone is meant exactly."""
    query, key = parse_query(typed), key_to_text(ref.key)
    if ref.resource is Resource.CATEGORIES and isinstance(ref.key, int):
        return Resource.PETS, f"category:{key}"
    return ref.resource, f"#{key}" if query.number == ref.key else " ".join(query.words)
