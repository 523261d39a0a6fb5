"""What a reading of a list proves of the records that it did not show.

One answer shows a list as it was at one moment: what is not in it is gone. Several answers prove nothing by themselves.
Where a list goes on by a page's number or an offset, what somebody deletes between two answers moves all others up, and
one of these is in neither. A cursor may hide such a place, and nobody can tell from its looks; a record whose status or
name changes moves as well, in a list of that status or by that name. So nobody asks how a list goes on: what several
answers did not show is *missing*, and stays, until

- the service says of the record itself that it is not there, where that takes few requests, or
- another reading shows all that this one showed, and nothing was deleted from here meanwhile: then nothing that this
  one had met went away while it was read, so that nothing moved up past it, and what both did not show is gone. It may
  have moved up itself, in a list whose newest change comes first: so some of many are asked for by themselves, where
  that can be done, and if one is there, two readings prove nothing of this list.

A reading whose answers tell different totals proves nothing, not even that all were met: it is made once more.

Nothing is missing in an ordinary reading, which costs no more than before. What is made meanwhile moves records down,
and is met twice: that is harmless.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.sync.send.walk_pass import Pass
from petstore_desktop.sync.shared.context import Context

MOST_REQUESTS = 10
"""So many are made at once to learn what became of missing records; where it takes more, the next reading tells."""
SAMPLE = 3
"""So many of many that two readings did not show are asked for by themselves."""

AskAlone: TypeAlias = Callable[[Sequence[Ref], Ref | None, RequestClass, int], Awaitable[bool]]
"""Asks for each of these records by itself: see `RecordReader.ask_alone`."""


class Absence:
    """The readings of one connection that came to the end of a list."""

    def __init__(self, context: Context, mirror: Mirror, ask_alone: Callable[[], AskAlone]) -> None:
        self._context, self._mirror, self._ask_alone = context, mirror, ask_alone
        self._before: dict[Resource, int] = {}
        """The reading before this one, of those in several answers."""

    @staticmethod
    def asks_again(one: Pass) -> bool:
        """Whether the list is to be read once more at once, since this reading leaves records missing, or may have
        missed some that are not known here: something moved while it was made."""
        return (one.missing > 0 or one.moved) and one.requests <= MOST_REQUESTS

    async def missing(self, resource: Resource, one: Pass, cls: RequestClass) -> int:
        """How many records this reading, which has come to the end of its list, leaves missing: all else that it did
        not show is gone, or has just been shown by itself. Raises StorageError."""
        if not one.whole or one.answers == 1:
            self._before.pop(resource, None)
            return 0
        statuses = self._context.contract.asked_statuses(resource)
        before = self._before.pop(resource, None)
        if not one.moved:
            self._before[resource] = one.number
        missed = self._mirror.missed(resource, one.number, statuses)
        if not missed:
            return 0
        agree = (
            not one.moved and before is not None and self._mirror.shows_all_of(resource, before, one.number, statuses)
        )
        most = min(one.requests, MOST_REQUESTS)  # another reading costs as many as this one
        is_sample = agree and len(missed) >= most
        key = self._mirror.another_key(resource, missed)
        shown = None if key is None else Ref(resource, key)
        refs = [Ref(resource, key) for key in (missed[:SAMPLE] if is_sample else missed)]
        told = await self._ask_alone()(refs, shown, cls, SAMPLE + 1 if is_sample else most)
        if told and not is_sample:
            return 0
        if agree and not (told and any(self._mirror.get(ref) is not None for ref in refs)):
            return 0
        return len(self._mirror.missed(resource, one.number, statuses))
