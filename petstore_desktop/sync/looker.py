"""Reads one record as the service has it now."""

from __future__ import annotations

from datetime import UTC, datetime

from petstore_desktop.api.admission import Ticket
from petstore_desktop.contract.model import Operation, Verb
from petstore_desktop.domain.errors import NotFound
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Ref
from petstore_desktop.sync.context import Context
from petstore_desktop.sync.walker import Walker

ONE_PAGE = 100
"""Records that one request of a list brings, where the document names no bound."""


class Looker:
    """By the record's own operation, or, where there is none, by its list."""

    def __init__(self, context: Context, walker: Walker) -> None:
        self._context = context
        self._walker = walker

    async def look(self, ref: Ref, cls: RequestClass, ticket: Ticket | None = None, *, retry: bool = False) -> bool:
        """Read it into the mirror; whether what was not shown is not there. `ticket` serves the request and another
        one after it; `retry`: what is looked for came to nothing before. Raises NotFound and what the client raises."""
        if self._is_listed(ref):
            return await self._walker.walk(ref.resource, cls)
        records = self._context.records
        marks = [records.begin()]
        try:
            row = await self._context.client.read(
                ref,
                cls,
                ticket=ticket,
                more=ticket is not None,
                on_start=lambda: marks.append(records.begin()),
                retry=retry,
            )
        except NotFound:
            records.remove(ref, marks[-1])
            raise
        records.put(ref.resource, (row,), marks[-1])
        return True

    def list_cost(self, ref: Ref) -> int | None:
        """In how many requests a record is read by its list; None where it has an operation of its own."""
        return (self._context.records.list_requests(ref.resource) or 1) if self._is_listed(ref) else None

    def _is_listed(self, ref: Ref) -> bool:
        operation = self._context.contract.find(ref.resource, Verb.READ)
        return operation is None or not isinstance(ref.key, int) or self._better_listed(ref, operation)

    def _better_listed(self, ref: Ref, operation: Operation) -> bool:
        """A deprecated operation is used only where nothing else serves: a list of many pages does not serve to read
        one record, an operation past its end serves for nothing."""
        listing = self._context.contract.find(ref.resource, Verb.LIST)
        if listing is None or not operation.deprecated:
            return False
        today = datetime.fromtimestamp(self._context.clock.now().wall, UTC).date().isoformat()
        over = operation.sunset is not None and operation.sunset < today
        return over or self._context.records.count(ref.resource) <= (listing.page_limit or ONE_PAGE)
