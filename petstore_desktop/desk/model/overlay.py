"""What people did that the service has not confirmed, laid over what it said; and, for ten seconds, what it just did.

The overlay knows nothing of the rows: a booking stays `+12` here and meets its base where a cell is made. How changes
are laid is in `overlay_builder`, which is loaded with the first change: the first paint is before that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from petstore_desktop.domain.records import LocalId, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.clock import Instant
    from petstore_desktop.desk.model.overlay_builder import OverlayBuilder, OverlayMoved, RecordOverlay
    from petstore_desktop.domain.changes import Change
    from petstore_desktop.domain.records import FieldValue


class Overlay:
    """The changes as shown over the service's values, by record."""

    def __init__(self) -> None:
        self.until: dict[int, float] = {}
        """When the mark "sent" of a change ends, in steady seconds."""
        self.bound: dict[LocalId, int] = {}
        self.records: dict[Resource, dict[object, RecordOverlay]] = {resource: {} for resource in Resource}
        self._laying: OverlayBuilder | None = None

    def of(self, ref: Ref) -> RecordOverlay | None:
        """What lies over one record."""
        return self.records[ref.resource].get(self.resolve(ref).key)

    def changes_of(self, ref: Ref) -> tuple[Change, ...]:
        """The changes of one record that are shown, the oldest first."""
        return () if self._laying is None else self._laying.changes_of(self.resolve(ref))

    def resolve(self, ref: Ref) -> Ref:
        """The same record by its number, once the service gave it one."""
        key = self.resolve_value(ref.key) if isinstance(ref.key, LocalId) else ref.key
        return ref if key is ref.key or not isinstance(key, int) else Ref(ref.resource, key)

    def resolve_value(self, value: FieldValue) -> FieldValue:
        """A field's value with the number in place of a local id that has one by now."""
        return self.bound.get(value, value) if isinstance(value, LocalId) else value

    def next_expiry(self) -> float | None:
        """When the next mark "sent" ends, in steady seconds."""
        return min(self.until.values(), default=None)

    # ---- events

    def apply(self, changes: Iterable[Change], now: Instant) -> OverlayMoved:
        """Take in changes as the journal has them now."""
        if self._laying is None:
            from petstore_desktop.desk.model.overlay_builder import OverlayBuilder

            self._laying = OverlayBuilder(self)
        return self._laying.apply(changes, now)

    def expire(self, steady: float) -> OverlayMoved | None:
        """Let the marks "sent" go whose time is over; None where there is no mark at all."""
        return self._laying.expire(steady) if self._laying is not None and self.until else None
