"""Everything that waits: in the order in which it is sent, counted, and what undo would take back."""

from __future__ import annotations

from dataclasses import dataclass

from petstore_desktop.desk.cells import Chip, Mark, Sentence
from petstore_desktop.desk.overlay import MARK_OF
from petstore_desktop.desk.shop import Shop, id_text
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.records import Ref, Resource


@dataclass(frozen=True, slots=True)
class OutboxLine:
    """One open change."""

    change_id: int
    ref: Ref
    title: str
    ref_id: str
    field: str
    chip: Chip
    mark: Mark
    sentence: Sentence

    @property
    def resource(self) -> Resource:
        """The kind of record it concerns."""
        return self.ref.resource


@dataclass(frozen=True, slots=True)
class UndoTarget:
    """What undo takes back: changes of one batch that are still unsent, and the sentence that names them."""

    change_ids: tuple[int, ...]
    sentence: Sentence


class Outbox:
    """The open changes as people see them."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self.open: tuple[Change, ...] = ()
        """Every open change, in the order of acting, which is the order of sending."""
        self._marks: dict[Mark, int] = {}

    def update(self) -> None:
        """The overlay moved: count anew."""
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
        return next((change.id for change in self.open if change.state is ChangeState.QUEUED), None)

    # ---- lines

    def lines(self) -> tuple[OutboxLine, ...]:
        """Every open change in the order of sending; `mark` tells the ones that wait for a person."""
        return tuple(self._line(change) for change in self.open)

    def _line(self, change: Change) -> OutboxLine:
        from petstore_desktop.desk.say import chip_of, concern, field_of, sentence_of  # late: so is the first change

        shop = self._shop
        ref = shop.overlay.resolve(change.ref)
        return OutboxLine(
            change.id,
            ref,
            str(concern(shop, change)["title"]),
            id_text(ref.key),
            field_of(change),
            chip_of(shop, change),
            MARK_OF[change.state],
            sentence_of(change, self.next_id),
        )

    def undo_target(self) -> UndoTarget | None:
        """The latest batch of which something is still unsent: taking it back costs no request."""
        unsent = [change for change in self.open if MARK_OF[change.state] == "unsent"]
        if not unsent:
            return None
        from petstore_desktop.desk.say import concern, field_of  # late: so is the first change

        batch = [change for change in unsent if change.batch == unsent[-1].batch]
        ids = tuple(change.id for change in batch)
        params = concern(self._shop, batch[-1])
        if len(batch) > 1:
            return UndoTarget(ids, Sentence("undo.many", {"count": len(batch), **params}))
        field = field_of(batch[0])
        kind = field if field in ("stock", "create", "delete") else "field"
        return UndoTarget(ids, Sentence(f"undo.{kind}", params))
