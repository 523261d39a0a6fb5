"""Reads one record as the service has it now."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from petstore_desktop.api.gate.admission import Ticket
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.api.write_answer import WriteAnswer
from petstore_desktop.contract.lifecycle.sunset import is_cheaper, is_over, service_day
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Forbidden,
    NotFound,
    NotOffered,
    Refused,
    ShopError,
    StorageError,
)
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Ref, Resource, ServiceId
from petstore_desktop.sync.send.next_step import LOOK_SERVES_S, Look
from petstore_desktop.sync.send.outcomes import STORED
from petstore_desktop.sync.send.walker import Walker
from petstore_desktop.sync.shared.context import ANOTHER_WAY, Context
from petstore_desktop.sync.shared.dependents import dependents_of
from petstore_desktop.sync.wire.events import Checked

MOST_AFTER_DELETION = 3
"""A list of more requests is not read to see whether a deletion was one: its next reading tells."""


class RecordReader:
    """By the record's own operation, or, where there is none, by its list."""

    def __init__(self, context: Context, walker: Walker) -> None:
        self._context = context
        self._walker = walker
        self._by_list: set[Resource] = set()
        """Resources read by their lists for the rest of this run, because reading single records seems to be gone."""
        self._hidden: set[Resource] = set()
        """What this key may not read: nobody can tell what goes with a record."""
        self._slow: set[Resource] = set()
        """Resources not read by their lists if there is another way, because that takes too long for a look."""
        self._reached: set[Resource] = set()
        """Resources of which the service has found a record by its path in this run: "not found" is true of others."""
        self._checking: set[Ref] = set()
        """What a person has asked for and is not answered yet."""
        self._doubted: set[Resource] = set()
        """Resources read by their lists because the service did not find a record that its list had shown."""

    async def look(
        self, ref: Ref, cls: RequestClass, ticket: Ticket | None = None, *, retry: bool = False, versions: bool = False
    ) -> bool:
        """Read it into the mirror; whether what was not shown is not there. `ticket` serves the request and another
        one after it; `retry`: what is looked for came to nothing before; `versions`: see `Walker.walk`. Raises NotFound
        and what the client raises."""
        records = self._context.records
        if self.is_listed(ref):
            whole = await self._walker.walk(ref.resource, cls, versions=versions)
            if whole and isinstance(ref.key, ServiceId) and records.image(ref) is None:
                self._by_list -= self._doubted & {ref.resource}
            if isinstance(ref.key, ServiceId) and LOOK_SERVES_S < records.age(ref) < math.inf:
                self._slow.add(ref.resource)
            return whole
        sending, marks = self._marked(cls, ticket, retry=retry)
        try:
            row = await self._context.client.read(ref, sending, records.image(ref))
        except (NotFound, Refused) as error:
            if isinstance(error, NotFound) and not self.doubts(ref):
                records.remove(ref, marks[-1])
                raise
            if isinstance(error, Refused) and not self._is_removed(ref, error):
                raise
            self._by_list.add(ref.resource)
            if ticket is not None:  # it may be all that the gate lets out until the write has left
                raise ShopError(ANOTHER_WAY) from error
            return await self.look(ref, cls)
        self._reached.add(ref.resource)
        records.put(ref.resource, (row,), marks[-1])
        return True

    async def ask_alone(self, missing: Sequence[Ref], shown: Ref | None, cls: RequestClass, most: int) -> bool:
        """Read each of these records by its own operation, which their list has not shown; whether the service has said
        of each that it is there, or not. `shown`: one that the list has shown: as long as no record was found by its
        path, that one has to be, for "not found" to mean anything. `most`: in how many requests."""
        asked = [*missing]
        if shown is not None and shown.resource not in self._reached:
            asked.insert(0, shown)
        if len(asked) > most or any(self.is_listed(ref) for ref in asked):
            return False
        for ref in asked:
            if not await self._is_told(ref, cls):
                return False
        return True

    async def _is_told(self, ref: Ref, cls: RequestClass) -> bool:
        """Read a record by its own operation; whether the service says that it is there, or not."""
        records = self._context.records
        sending, marks = self._marked(cls)
        try:
            row = await self._context.client.read(ref, sending, records.image(ref))
        except StorageError:
            raise
        except NotFound:
            if ref.resource not in self._reached or records.was_stored(*marks):
                return False
            records.remove(ref, marks[-1])
            return True
        except ShopError:
            return False
        self._reached.add(ref.resource)
        records.put(ref.resource, (row,), marks[-1])
        return True

    def _marked(
        self, cls: RequestClass, ticket: Ticket | None = None, *, retry: bool = False
    ) -> tuple[Sending, list[int]]:
        """How a record is asked for, and the marks of its requests as they leave, after that of now (see `begin`)."""
        records = self._context.records
        marks = [records.begin()]
        return Sending(
            cls,
            ticket,
            ticket is not None,
            lambda: marks.append(records.begin()),
            lambda seconds: records.stored(marks[-1], seconds),
            retry,
        ), marks

    def proof_cost(self, ref: Ref, operation: Operation, fields: Fields) -> int:
        """In how many requests it is looked whether such a write, which gives this record these fields, does what is
        meant: none where that was seen before, or nothing cheap tells."""
        return self.cost_after_deletion(ref) if self._context.contract.unproven(operation, fields) else 0

    async def shown_now(self, ref: Ref) -> WriteAnswer:
        """What the service shows of a record now, as an answer to a write of it would. The mirror follows in other
        records alone, which its list has shown on the way. Raises what the client raises."""
        client, records = self._context.client, self._context.records
        sending, marks = self._marked(RequestClass.CHANGES)
        if not self.is_listed(ref):
            shown = await client.shown(ref, sending, records.image(ref))
        else:
            shown, others = await client.shown_by_list(ref, sending)
            records.put(ref.resource, others, marks[1], alone=False)
        if records.was_stored(*marks):
            raise AnswerUnusable(STORED)
        return shown

    def is_cheap(self, ref: Ref) -> bool:
        """Whether a few requests tell what there is of this kind."""
        return self._has_list(ref) and (self.list_cost(ref) or 0) <= MOST_AFTER_DELETION

    def cost_after_deletion(self, ref: Ref) -> int:
        """In how many requests it is looked whether a deletion was one; 0 where nothing cheap tells."""
        cost = self.list_cost(ref)
        if cost is None:
            return 1
        return cost if cost <= MOST_AFTER_DELETION and self._has_list(ref) else 0

    async def still_shows(self, ref: Ref) -> bool | None:
        """Whether the service still shows a record that it says it has deleted, and that the mirror has let go of; None
        where it does not tell. Of others that were believed to be deleted one reading of their list tells, where that
        takes no more. Raises what the client raises."""
        records = self._context.records
        mark = records.begin()
        listed = records.mirror.facts(ref.resource).requests == 1 and self._has_list(ref)
        if self.is_listed(ref) or (listed and records.believes(ref.resource)):
            await self._walker.walk(ref.resource, RequestClass.CHANGES)
            if records.is_stored(ref):
                raise AnswerUnusable(STORED)
            return records.seen_since(ref, mark)
        sending, marks = self._marked(RequestClass.CHANGES)
        row = None
        try:
            row = await self._context.client.read(ref, sending, records.image(ref))
        except NotFound:
            pass
        except (AnswerUnusable, Forbidden, NotOffered, Refused):
            return None
        if records.was_stored(*marks):
            raise AnswerUnusable(STORED)
        if row is not None:
            records.put(ref.resource, (row,), marks[-1])
        return row is not None

    async def check(self, ref: Ref) -> Checked | None:
        """Read a record for a person who asks how it is now; None where an earlier such question is still on its way,
        whose answer serves. Raises what `look` raises."""
        if ref in self._checking:
            return None
        self._checking.add(ref)
        try:
            records = self._context.records
            before, mark = records.mirror.get(ref), records.begin()
            await self.look(ref, RequestClass.PERSON)
            row = records.mirror.get(ref)
        finally:
            self._checking.discard(ref)
        shown = row is None or records.seen_since(ref, mark)
        return Checked.found(self._context.connection, ref, before, row, shown=shown)

    def doubts(self, ref: Ref) -> bool:
        """The service says that it does not find a record by its path: whether the list has to tell, because it has
        shown the record in this run, and no path has led to any. From now on it is asked then."""
        records = self._context.records
        shown = records.row(ref) is not None and records.age(ref) < math.inf and not records.shown_alone(ref)
        if ref.resource in self._reached or not shown or not self._has_list(ref):
            return False
        self._doubted.add(ref.resource)
        self._by_list.add(ref.resource)
        return True

    def reached(self, resource: Resource) -> None:
        """The service has found a record by its path."""
        self._reached.add(resource)

    def _is_removed(self, ref: Ref, error: Refused) -> bool:
        return error.code in ("removed", "gone-or-removed") and self._has_list(ref)

    async def look_at_dependents(self, ref: Ref, cls: RequestClass) -> None:
        """Read what goes with this record when it is deleted, as far as that is shown. Raises what the client
        raises."""
        for one in dependents_of(ref, self._context.contract):
            if self.dependent_age(one) <= LOOK_SERVES_S:
                continue
            try:
                await self.look(one, cls)
            except NotFound:
                pass
            except (Forbidden, NotOffered, Refused):
                self._hidden.add(one.resource)

    def dependent_age(self, ref: Ref) -> float:
        """Seconds since this part of what goes with a record was asked for; -inf where nothing shows it, and 0 where
        that was the list, and no longer ago than twice what reading it took: none comes sooner."""
        if ref.resource in self._hidden:
            return -math.inf
        records, shown_at = self._context.records, self._walker.shown_at(ref.resource)
        listed = math.inf if shown_at is None else self._context.clock.now().steady - shown_at
        if listed <= 2 * self._walker.took(ref.resource):
            listed = 0.0
        if not isinstance(ref.key, ServiceId):
            return listed
        row = records.row(ref)
        alone = records.absent_age(ref) if row is None else math.inf if records.echoed(ref) else records.age(ref)
        return min(alone, listed)

    def list_cost(self, ref: Ref) -> int | None:
        """In how many requests a record is read by its list; None where it has an operation of its own."""
        return self.pages(ref.resource) if self.is_listed(ref) else None

    def look_cost(self, look: Look) -> int:
        """In how many requests it is made; one at what goes with a record, with the look at the record after it."""
        along = dependents_of(look.ref, self._context.contract) if look.dependents else ()
        return sum(self.list_cost(one) or 1 for one in (*along, look.ref))

    def look_age(self, look: Look) -> float:
        """Seconds since the last such look was asked for."""
        along = dependents_of(look.ref, self._context.contract) if look.dependents else ()
        return max(map(self.dependent_age, along), default=self._context.records.age(look.ref))

    def pages(self, resource: Resource) -> int:
        """In how many requests a list is read, as far as is known."""
        return self._context.records.mirror.facts(resource).requests or 1

    def is_listed(self, ref: Ref) -> bool:
        """Whether a record is read by its list."""
        operation = self._context.contract.find(ref.resource, Verb.READ)
        if operation is None or not isinstance(ref.key, ServiceId):
            return True
        unknown = self._context.contract.doubts_key(ref.resource)
        unknown = unknown or (bool(operation.hole) and self._context.records.image(ref) is None)
        return unknown or self._better_listed(ref, operation)

    def _better_listed(self, ref: Ref, operation: Operation) -> bool:
        """A deprecated operation is used only where nothing else serves: a list of many pages does not serve to read
        one record, an operation past its end serves for nothing."""
        context = self._context
        listing = context.contract.find(ref.resource, Verb.LIST)
        if listing is None or listing.removed:
            return False
        if ref.resource in self._by_list:
            return True
        today = service_day(context.clock.now().wall, context.client.admission.quota.skew)
        cheaper = is_cheaper(operation, listing, context.records.mirror.count(ref.resource))
        if is_over(operation, today):
            return True
        return cheaper and ref.resource not in self._slow and not self._unlisted(ref.resource)

    def unlisted(self, ref: Ref) -> tuple[str, ...]:
        """See `Contract.unlisted`, by what was last said of the record."""
        return self._unlisted(ref.resource, alone=self._context.records.shown_alone(ref))

    def _unlisted(self, resource: Resource, *, alone: bool = False) -> tuple[str, ...]:
        listed = partial(self._context.records.mirror.listed, resource)
        return self._context.contract.unlisted(resource, listed, alone=alone)

    def _has_list(self, ref: Ref) -> bool:
        listing = self._context.contract.find(ref.resource, Verb.LIST)
        return listing is not None and not listing.removed
