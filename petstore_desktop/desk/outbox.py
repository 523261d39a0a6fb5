"""Everything that waits: in the order in which it is sent, counted, and what undo would take back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petstore_desktop.desk.cells import Mark
    from petstore_desktop.desk.shop import Shop
    from petstore_desktop.desk.waiting import OutboxLine, UndoTarget
    from petstore_desktop.domain.changes import Change


class Outbox:
    """The open changes as people see them."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self.open: tuple[Change, ...] = ()
        """Every open change, in the order of acting, which is the order of sending."""
        self._marks: dict[Mark, int] = {}

    def update(self) -> None:
        """The overlay moved: count anew."""
        from petstore_desktop.desk.laying import MARK_OF  # late, as all below: the first paint is before any change

        self.open = self._shop.overlay.open_changes()
        self._marks = {}
        for change in self.open:
            mark = MARK_OF[change.state]
            self._marks[mark] = self._marks.get(mark, 0) + 1

    # ---- counts, in changes

    @property
    def unsent(self) -> int:
        """Saved on this computer and not confirmed: waiting or on the wire."""
        return self._marks.get("unsent", 0) + self._marks.get("sending", 0)

    @property
    def refused(self) -> int:
        """The service said no."""
        return self._marks.get("refused", 0)

    @property
    def conflicts(self) -> int:
        """The record was changed by somebody else meanwhile."""
        return self._marks.get("conflict", 0)

    @property
    def uncertain(self) -> int:
        """Nobody knows whether the service did it."""
        return self._marks.get("uncertain", 0)

    @property
    def needs_person(self) -> int:
        """What only a person can bring further."""
        return self.refused + self.conflicts + self.uncertain

    @property
    def next_id(self) -> int | None:
        """The change that goes out next."""
        if not self.open:
            return None
        from petstore_desktop.domain.changes import ChangeState

        return next((change.id for change in self.open if change.state is ChangeState.QUEUED), None)

    # ---- lines

    def lines(self) -> tuple[OutboxLine, ...]:
        """Every open change in the order of sending; `mark` tells the ones that wait for a person."""
        if not self.open:
            return ()
        from petstore_desktop.desk.waiting import line_of

        return tuple(line_of(self._shop, change, self.next_id) for change in self.open)

    def undo_target(self) -> UndoTarget | None:
        """The latest batch of which something is still unsent: taking it back costs no request."""
        if not self.open:
            return None
        from petstore_desktop.desk.waiting import undo_target_of

        return undo_target_of(self._shop, self.open)
