"""What waits, as people see it: the lines of the outbox, and what undo names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petstore_desktop.desk.cells import Chip, Mark, Sentence
from petstore_desktop.desk.laying import MARK_OF
from petstore_desktop.desk.say import chip_of, concern, field_of, sentence_of
from petstore_desktop.desk.shop import Shop, id_text
from petstore_desktop.domain.changes import Change
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


def line_of(shop: Shop, change: Change, next_id: int | None) -> OutboxLine:
    """One change as a line; `next_id` is the change that goes out next."""
    ref = shop.overlay.resolve(change.ref)
    return OutboxLine(
        change.id,
        ref,
        str(concern(shop, change)["title"]),
        id_text(ref.key),
        field_of(change),
        chip_of(shop, change),
        MARK_OF[change.state],
        sentence_of(change, next_id),
    )


def undo_target_of(shop: Shop, changes: Sequence[Change]) -> UndoTarget | None:
    """The latest batch of these open changes of which something is still unsent."""
    unsent = [change for change in changes if MARK_OF[change.state] == "unsent"]
    if not unsent:
        return None
    batch = [change for change in unsent if change.batch == unsent[-1].batch]
    ids = tuple(change.id for change in batch)
    params = concern(shop, batch[-1])
    if len(batch) > 1:
        return UndoTarget(ids, Sentence("undo.many", {"count": len(batch), **params}))
    field = field_of(batch[0])
    kind = field if field in ("stock", "create", "delete") else "field"
    return UndoTarget(ids, Sentence(f"undo.{kind}", params))
