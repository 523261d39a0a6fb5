"""Going to a record that is not here: the service is asked for it, and one goes there when it came."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.context.window_context import WindowParts


class Fetching(QObject):
    """Of one window. Until the record is here the person stays where they were; whoever goes elsewhere meanwhile is not
    taken away from there. `read` asks the service, and whoever tells what it answered says that there is none."""

    def __init__(self, parts: WindowParts, read: Callable[[Ref], object]) -> None:
        super().__init__(parts)
        self._parts, self._read = parts, read
        self._wanted: Ref | None = None
        parts.moved.connect(self._look)
        parts.navigation.moved.connect(self._stay)

    def go(self, ref: Ref) -> None:
        """Go to this record as soon as it is here."""
        self._wanted = ref
        self._read(ref)

    def _look(self, moved: Changed) -> None:
        ref = self._wanted
        if ref is None:
            return
        if ref.key in self._parts.shop.desk.shop.stores[ref.resource]:
            self._wanted = None
            self._parts.navigation.open(ref)
        elif moved.checked is not None and moved.checked.ref == ref:
            self._wanted = None

    def _stay(self) -> None:
        self._wanted = None
