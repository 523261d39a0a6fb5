"""What a part of the window asks its window to open or to make, because it lies in another room."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.edit.preview import Preview
    from petstore_desktop.desk.price import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.ui.context.ports import ShopPort
    from petstore_desktop.ui.context.tab_specs import TabSpec
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.details.details_side import DetailsSide
    from petstore_desktop.ui.views.views import Views


class Openers(Protocol):
    """Given to `WindowParts` by the window."""

    def open_preview(
        self,
        parent: QWidget,
        parts: WindowParts,
        preview: Preview,
        title: str = "",
        note: str = "",
        done: Callable[[], object] | None = None,
    ) -> QDialog:
        """Show many edits before they are saved."""
        ...

    def open_price(
        self, parent: QWidget, changes: tuple[NewChange, ...], price: Price, now: float, accept: Callable[[], None]
    ) -> None:
        """Ask before a batch that costs much."""
        ...

    def open_key(self, parent: QWidget, shop: ShopPort, error: ShopError | None, unasked: bool = False) -> QDialog:
        """Ask for a key."""
        ...

    def views(self, window: QWidget) -> Views:
        """The views of a window."""
        ...

    def details_side(self, spec: TabSpec, parts: WindowParts, tab: QWidget) -> DetailsSide:
        """The details beside a list."""
        ...
