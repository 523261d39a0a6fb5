"""What one event changed of what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Key, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import Change
    from petstore_desktop.sync.events import BatchPriced, Checked, NotSaved, Past, Trouble, Undone


@dataclass(slots=True)
class Changed:
    """What an event changed.

    `rows`: the records that moved; `saved`: changes seen for the first time (they are in the journal now), those
    read at start included; `settled`: changes that came to an end or to a stop; `renamed`: records that got a number;
    `batches`: those of which any change moved; `past`: what was asked of the past.
    """

    rows: Mapping[Resource, set[Key]] = field(default_factory=dict[Resource, set[Key]])
    loads: set[Resource] = field(default_factory=set[Resource])
    renamed: dict[Ref, Ref] = field(default_factory=dict[Ref, Ref])
    saved: tuple[Change, ...] = ()
    settled: tuple[Change, ...] = ()
    outbox: bool = False
    gate: bool = False
    quota: bool = False
    requests: bool = False
    link: bool = False
    contract: bool = False
    key: bool = False
    drafts: bool = False
    trouble: Trouble | None = None
    not_saved: NotSaved | None = None
    checked: Checked | None = None
    undone: Undone | None = None
    priced: tuple[BatchPriced, ...] = ()
    batches: set[str] = field(default_factory=set[str])
    past: tuple[Past, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether there is anything to paint."""
        flags = self.outbox or self.gate or self.quota or self.requests or self.link or self.contract or self.key
        said = self.trouble or self.not_saved or self.checked or self.priced or self.undone or self.past or self.drafts
        return flags or bool(self.rows or self.loads or said)

    def concerns(self, ref: Ref) -> bool:
        """Whether the details of this record may look different: it moved itself, or a record of another kind did."""
        others = any(resource is not ref.resource for resource in self.rows)
        return others or ref.key in self.rows.get(ref.resource, ()) or ref in self.renamed
