"""The service, one typed method for each operation. Everything leaves through the gateway."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, Callable, Container, Hashable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from urllib.parse import unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api import address, encoding, wire
from petstore_desktop.api.encoding import NOTHING, Known
from petstore_desktop.api.headers import etags as validator
from petstore_desktop.api.http.body import LIST_CAP
from petstore_desktop.api.http.error_responses import document_error, json_of, naming
from petstore_desktop.api.http.gateway import Gateway, Sending
from petstore_desktop.api.http.transport import Answer, BodyReader, Request
from petstore_desktop.api.lists.duplicate_filter import OwnKeys
from petstore_desktop.api.lists.envelope import bare_id, unwrap_one
from petstore_desktop.api.lists.pages import NOT_MODIFIED, Page, PageReader
from petstore_desktop.api.lists.paging import PageRequest, PageWalk, ShortPages
from petstore_desktop.api.record_ids import key_of
from petstore_desktop.api.write_answer import WriteAnswer, named_fields
from petstore_desktop.contract.binding.answer_fields import learned, with_doubt
from petstore_desktop.contract.binding.kinds import path_shape, singular
from petstore_desktop.contract.binding.load import is_for
from petstore_desktop.contract.binding.path_parameters import knows_stock_key, own_key_of
from petstore_desktop.contract.binding.places import document_places
from petstore_desktop.contract.binding.servers import root_of
from petstore_desktop.contract.document.parse import parse
from petstore_desktop.contract.fields.seen import SAMPLES, shape_of
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import FieldMap, Op, Verb, value_at
from petstore_desktop.contract.stock_key import StockKey, with_stock_key
from petstore_desktop.domain.changes import LIST_SHOWS_LESS, Fields
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    DocumentUnusable,
    Forbidden,
    KeyRejected,
    NotFound,
    NotOffered,
    Refused,
    ShopError,
)
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import ALL_SPECS, Record, Ref, Resource, Row, ServiceId
from petstore_desktop.off_loop import off_loop

_LIKE_AN_ID = re.compile(r"(?=.*\d)[\w.-]{8,}", re.ASCII)
BY_PERSON = Sending(RequestClass.PERSON)


class PublishedDocument(Struct, frozen=True):
    """The bytes of a document, and the address at which it lies."""

    data: bytes
    place: str


async def is_document_of(data: bytes, place: str, base: str) -> bool:
    """Whether what was found there is an OpenAPI document, of any version, that describes the base address. Raises
    DocumentUnusable."""

    def is_one() -> bool:
        return not parse(data).keys().isdisjoint(("openapi", "swagger")) and (
            place.startswith(f"{base}/") or is_for(data, base, place)
        )

    return await off_loop(is_one, "document")


class Client:
    """One service with one key, reached through `gateway`. Belongs to one asyncio loop.

    Every method waits for as long as the gate says and raises: GateLocked, KeyRejected, Forbidden, NotFound,
    Conflicted, RateLimited, Refused, ServiceFailed (the service said no); AnswerUnusable; Unreachable (nothing was
    sent); Interrupted (it may have been done); NotOffered (nor was anything sent).
    """

    def __init__(self, gateway: Gateway, contract: Contract) -> None:
        self.gateway = gateway
        self.admission = gateway.admission
        self.tell_learned: Callable[[Contract], object] = self.use_contract
        self._short_pages = ShortPages()
        self._key_asked = False
        """Whether it was asked in this run which id the path of a stock entry means."""
        self._taught: dict[Resource, tuple[Hashable, Contract]] = {}
        """What records that last told nothing new looked like, and with which contract: page after page is alike."""
        self.use_contract(contract)

    def use_contract(self, contract: Contract) -> None:
        """Follow this contract from now on."""
        self.contract = contract
        self.gateway.use_contract(contract)
        self.gateway.notices.contract = contract

    # ------------------------------------------------------------ operations

    async def fetch_document(self, sending: Sending = BY_PERSON) -> PublishedDocument | None:
        """The OpenAPI document that the service publishes below its base address or beside it, None if it has none in
        the usual places. Raises DocumentUnusable (`document-too-large`)."""
        base = self.gateway.base_url
        for url in self.gateway.places_for_document():
            try:
                answer = await self.gateway.send_for_document(Request("GET", url), sending)
                if await is_document_of(answer.body, url, base):
                    return PublishedDocument(answer.body, url)
            except (NotFound, Refused, Forbidden, KeyRejected, AnswerUnusable, DocumentUnusable) as error:
                if error.code == "too-large":
                    raise document_error(error, url) from error
                continue  # a page for browsers, a redirect, or nothing at all: not published here
        return None

    async def probe(self, sending: Sending = BY_PERSON, keys: Container[str] = ()) -> None:
        """The cheapest question there is, for a connection test and for the one request after a pause. `keys`: the
        security schemes of which one is to be tried, if there is such a question."""
        resources = (Resource.CATEGORIES, Resource.PETS, Resource.ORDERS, Resource.INVENTORY)
        lists = [one for resource in resources if (one := self.contract.find(resource, Verb.LIST)) and not one.gathered]
        lists.sort(key=lambda one: not any(place.scheme in keys for place in self.contract.sent(one.op)))
        asks = [(one.op, self._list_request(one, PageWalk(one).smallest(), None)) for one in lists]
        asks.sort(key=lambda ask: self.gateway.probe_rank(ask[1]))
        for op, request in asks[:1]:
            await self.gateway.send(op, replace(request, reader=BodyReader()), sending)
            return
        with suppress(NotFound, Refused, Forbidden, AnswerUnusable):  # an answer, too
            await self.gateway.send(None, Request("GET", document_places(self.gateway.base_url)[0]), sending)

    async def pages(
        self, resource: Resource, sending: Callable[[], Sending], *, start: str | None = None, etag: str | None = None
    ) -> AsyncGenerator[Page]:
        """Walk through a list.

        `sending` is asked for at each request; `start`: the `cursor` of the page after which an earlier walk stopped;
        `etag`: of the page with which the whole list came.
        """
        operation = self._operation(resource, Verb.LIST)
        asked: list[str] = []

        async def send(ask: PageRequest, reader: BodyReader) -> Answer:
            request = replace(self._list_request(operation, ask, etag), reader=reader)
            asked.append(request.url)
            answer = await self.gateway.send(operation.op, request, sending())
            # "Not modified" where no ETag was sent is an answer without a list.
            untold = answer.status == NOT_MODIFIED and "If-None-Match" not in request.headers
            return replace(answer, status=200) if untold else answer

        change = self.contract.find(resource, Verb.CHANGE)
        assumed = self.contract.source == "default"
        walk = PageWalk(operation, self.gateway.without_key, assumed=assumed, short_pages=self._short_pages)
        fields = partial(self._fields_of, resource)
        keyed = change if resource is Resource.INVENTORY else None
        own_keys = None if keyed is None else OwnKeys(partial(own_key_of, keyed), self._doubt_stock)
        reader = PageReader(resource, walk, self._wall, change, fields, own_keys)
        with naming(operation.op):
            async with aclosing(reader.pages(send, start)) as pages:
                async for page in pages:
                    place = asked[0] + self.contract.map(resource).mark
                    yield replace(page, etag=validator.bound(page.etag, place) if start is None else None)
            if own_keys is not None and start is None:
                await self._settle_stock_key(own_keys, sending)

    async def count_by_status(self, sending: Sending) -> dict[str, int]:
        """How many pets the service says that it has of each status; what is no such number is left out. Raises
        AnswerUnusable (`bad-record`) where nothing of the answer is one."""
        operation = self.contract.counts
        if operation is None:
            raise NotOffered(resource=Resource.INVENTORY.value, verb=Verb.LIST.value)
        answer = await self.gateway.send(operation.op, self._request(operation, None), sending)
        with naming(operation.op):
            return wire.counts_of(json_of(answer))

    async def read(self, ref: Ref, sending: Sending, known: Record | None = None) -> Row:
        """One record as the service has it now. `known`: as it was last seen."""
        operation = self._operation(ref.resource, Verb.READ)
        request = self._request(operation, _named(operation, ref, known))
        answer = await self.gateway.send(operation.op, request, sending)
        with naming(operation.op):
            row = self._row(ref.resource, answer, learns=True)
            if row.key != ref.key and isinstance(row.key, ServiceId):
                raise AnswerUnusable("another-record", asked=ref.key, got=row.key)
        return row if row.key == ref.key else Row(ref.key, row.record, row.seen_at, row.etag)

    async def shown(self, ref: Ref, sending: Sending, known: Record | None = None) -> WriteAnswer:
        """What the service shows of one record now, as an answer to a write of it would. `known`: as it was last
        seen."""
        operation = self._operation(ref.resource, Verb.READ)
        request = self._request(operation, _named(operation, ref, known))
        answer = await self.gateway.send(operation.op, request, sending)
        with naming(operation.op):
            return self._shown(operation, answer)

    async def shown_by_list(self, ref: Ref, sending: Sending) -> tuple[WriteAnswer, list[Row]]:
        """The same by its list, which may leave out what is empty, and the other records that were met on the way."""
        others: list[Row] = []
        async with aclosing(self.pages(ref.resource, lambda: sending)) as pages:
            async for page in pages:
                row = next((row for row in page.rows if row.key == ref.key), None)
                others += (one for one in page.rows if one is not row)
                if row is not None:
                    named = (spec.name for spec in ALL_SPECS[ref.resource])
                    fields = frozenset(name for name in named if getattr(row.record, name, None) is not None)
                    return WriteAnswer(row, fields, ref.key if isinstance(ref.key, ServiceId) else None), others
        return WriteAnswer(), others

    async def create(self, resource: Resource, fields: Fields, sending: Sending, known: Known = NOTHING) -> WriteAnswer:
        """Make a record of these fields, which have the names of the domain's records. `known`: what else it had, if it
        is made again, and the id that it is to have, where the service leaves that to us."""
        operation = self._operation(resource, Verb.CREATE)
        known = replace(known, reads=self.contract.map(resource))
        request = self._request(operation, None, _body(operation, fields, known))
        answer = await self.gateway.send(operation.op, request, sending)
        shown = self._shown(operation, answer)
        return shown if shown.id is not None else replace(shown, id=_id_of_location(answer, operation))

    async def change(
        self,
        ref: Ref,
        fields: Fields,
        sending: Sending,
        *,
        whole: Record | None = None,
        etag: str | None = None,
        category: str = "",
        unshown: tuple[str, ...] = (),
        told: bool = False,
    ) -> WriteAnswer:
        """Give fields of a record new values.

        `whole`: the record as last seen, which goes back in full where the operation replaces it; `etag` is sent as
        If-Match where the contract takes it; `category`, `unshown`, `told`: see `Known`.
        """
        operation = self._operation(ref.resource, Verb.CHANGE)
        if operation.replaces and whole is None:
            raise NotOffered("whole-record-unknown", operation=operation.op.value)
        key = ref.key if operation.is_json_api or operation.names_in_body else None
        reads = self.contract.map(ref.resource)
        known = Known(whole, key=key, reads=reads, category=category, unshown=unshown, told=told)
        request = self._request(operation, _named(operation, ref, whole), _body(operation, fields, known), etag)
        return self._shown(operation, await self.gateway.send(operation.op, request, sending))

    async def delete(self, ref: Ref, sending: Sending, *, etag: str | None = None) -> WriteAnswer:
        """Remove a record, or cancel an order. Raises NotFound where it is gone already."""
        operation = self._operation(ref.resource, Verb.DELETE)
        return self._shown(
            operation, await self.gateway.send(operation.op, self._request(operation, ref, etag=etag), sending)
        )

    # ------------------------------------------------------------ requests

    def _wall(self) -> float:
        return self.gateway.clock.now().wall

    def _root(self, operation: Operation) -> str:
        return root_of(self.contract, self.gateway.base_url, operation)

    def _operation(self, resource: Resource, verb: Verb) -> Operation:
        operation = self.contract.find(resource, verb)
        if operation is None:
            raise NotOffered(resource=resource.value, verb=verb.value)
        return operation

    def _request(
        self, operation: Operation, ref: Ref | None, content: bytes | None = None, etag: str | None = None
    ) -> Request:
        if ref is not None and not isinstance(ref.key, ServiceId):
            raise NotOffered("record-without-id", operation=operation.op.value)
        headers = dict(operation.always_headers)
        if content is not None:
            headers["Content-Type"] = operation.content_type
        if etag is not None and operation.conditional:
            headers["If-Match"] = etag
        url = self._root(operation) + address.fill(operation.path, None if ref is None else ref.key)
        return Request(operation.method, address.with_query(url, operation.always_query), headers, content)

    def _list_request(self, operation: Operation, ask: PageRequest, etag: str | None) -> Request:
        if ask.place is None:
            url = address.with_query(self._root(operation) + operation.path, {**operation.always_query, **ask.params})
        else:
            url = address.with_missing(address.origin_text(self.gateway.base_url) + ask.place, operation.always_query)
        # Where the fields are read from elsewhere since, "not modified" would be of no use.
        tag = validator.tag_for(etag, url + self.contract.map(operation.op.resource).mark)
        headers = {**operation.always_headers, **({} if tag is None else {"If-None-Match": tag})}
        return Request(operation.method, url, headers, cap=LIST_CAP, patient=True)

    # ------------------------------------------------------------ answers

    def _fields_of(self, resource: Resource, values: Sequence[object]) -> FieldMap:
        """Where the service has the fields of its records: where nothing says so, as these show."""
        shape = shape_of(values[:SAMPLES])
        if shape is None or self._taught.get(resource) != (shape, self.contract):
            found = learned(self.contract, resource, values)
            if found is not None:
                self.tell_learned(found)
            else:
                self._taught[resource] = shape, self.contract
        return self.contract.map(resource)

    def _doubt_stock(self, own_keys: OwnKeys) -> None:
        """Keep stock from being written while nobody knows which entry a change would reach."""
        if own_keys.twice or not knows_stock_key(self.contract):
            self._tell_changed(with_doubt(self.contract, Resource.INVENTORY))

    async def _settle_stock_key(self, own_keys: OwnKeys, sending: Callable[[], Sending]) -> None:
        """Find out which id of an entry the path means (see `stock_key`), with two reads at most, once in a run.
        `own_keys`: those of a list that was read to its end."""
        if own_keys.twice or not own_keys.count or knows_stock_key(self.contract):
            return
        if own_keys.differs is None:
            self._tell_changed(with_stock_key(self.contract, StockKey.EQUAL, own_keys.place))
        elif not self._key_asked:
            self._key_asked = True
            pet, own = own_keys.differs
            for key in (own, pet):
                row = await self._entry_at(key, sending())
                found = None if row is None else (row.key, wire.read_id(value_at(row.record.extra, own_keys.place)))
                if found == own_keys.differs:
                    meant = StockKey.OWN if key == own else StockKey.PET
                    self._tell_changed(with_stock_key(self.contract, meant, own_keys.place))
                    return

    async def _entry_at(self, key: ServiceId, sending: Sending) -> Row | None:
        """The entry of stock that the path of a change shows by this id, None where it does not show one."""
        change = self._operation(Resource.INVENTORY, Verb.CHANGE)
        request = self._request(replace(change, method="GET"), Ref(Resource.INVENTORY, key))
        try:
            return self._row(Resource.INVENTORY, await self.gateway.send(Op.STOCK_READ, request, sending))
        except ShopError:
            return None

    def _tell_changed(self, contract: Contract) -> None:
        if contract != self.contract:
            self.tell_learned(contract)

    def _shown(self, operation: Operation, answer: Answer) -> WriteAnswer:
        """What the answer to a write shows."""
        resource, etag = operation.op.resource, _etag_of(answer)
        names = self.contract.map(resource).begins(resource)
        try:
            value = wire.parse_json(answer.body)
        except AnswerUnusable:
            return WriteAnswer(silent=True, etag=etag)  # nothing, or a word for yes: all else the gateway has refused
        inner = unwrap_one(resource, value, names)
        try:
            # An id alone would be a record without a name.
            row = self._row_of(resource, inner, answer) if _holds_two_of(names, inner) else None
        except AnswerUnusable:
            row = None
        if row is None or not isinstance(row.key, ServiceId):
            return WriteAnswer(None, id=_told_id(resource, inner), silent=value is None, etag=etag)
        fields = named_fields(resource, inner, self.contract.map(resource))
        return WriteAnswer(row, fields, row.key, etag=etag)

    def _row(self, resource: Resource, answer: Answer, *, learns: bool = False) -> Row:
        """The record in an answer. Raises AnswerUnusable: `empty`, `not-json`, `bad-record`."""
        value = unwrap_one(resource, json_of(answer), self.contract.map(resource).begins(resource))
        return self._row_of(resource, value, answer, learns=learns)

    def _row_of(self, resource: Resource, value: object, answer: Answer, *, learns: bool = False) -> Row:
        fields = self._fields_of(resource, (value,) if learns else ())
        change = self.contract.find(resource, Verb.CHANGE)
        try:
            record = wire.decode_one(resource, value, () if change is None else change.body_fields, fields)
        except wire.BadRecord as error:
            raise AnswerUnusable("bad-record", why=str(error)) from None
        if not (isinstance(value, dict) and value.keys() & fields.begins(resource)):
            raise AnswerUnusable("bad-record", why="it has none of the fields of one")  # no order needs any of them
        return Row(key_of(record), record, self._wall(), _etag_of(answer))


def _body(operation: Operation, fields: Fields, known: Known) -> bytes:
    """The body of a request. Raises NotOffered where none can be made, so that nothing was sent."""
    try:
        return encoding.encode(operation, fields, known)
    except encoding.WouldLose as error:
        raise NotOffered(LIST_SHOWS_LESS, why=str(error)) from None
    except Exception as error:
        logging.getLogger(__name__).exception("no request can be made for %s", operation.op)
        raise NotOffered("unsendable", why=type(error).__name__) from error


def _named(operation: Operation, ref: Ref, known: Record | None) -> Ref:
    """The record by the id that the operation's path means. Raises NotOffered where that id was not read."""
    if not operation.hole:
        return ref
    own = None if known is None else wire.read_id(value_at(known.extra, operation.hole))
    if own is None:
        raise NotOffered("record-without-id", operation=operation.op.value)
    return replace(ref, key=own)


def _etag_of(answer: Answer) -> str | None:
    """What can be sent as If-Match, which compares strongly (RFC 9110, 13.1.1): a weak tag would never match. One
    without quotes is what this service takes for a tag."""
    etag = answer.headers.get("etag", "")
    return etag if etag and etag.isascii() and not etag.startswith("W/") else None


def _holds_two_of(names: frozenset[str], value: object) -> bool:
    return isinstance(value, dict) and len(names & value.keys()) > 1


def _told_id(resource: Resource, value: object) -> ServiceId | None:
    """The id in an answer without a record; a text that stands alone is one if it looks like one, and not like words
    of thanks."""
    found = wire.read_id(bare_id(resource, value))
    return None if isinstance(value, str) and isinstance(found, str) and not _LIKE_AN_ID.fullmatch(found) else found


def _id_of_location(answer: Answer, operation: Operation) -> ServiceId | None:
    """The id at the end of a Location header (RFC 9110, 10.2.2), if what it leads to lies below the operation's path:
    it may as well be a job's."""
    try:
        path = urlsplit(str(answer.headers.get("location", ""))).path
    except ValueError:
        return None
    parents, _, last = path.rstrip("/").rpartition("/")
    if parents and singular(parents.rpartition("/")[2]) != path_shape(operation.path).root[-1]:
        return None
    found = wire.read_id(unquote(last))
    return found if parents or isinstance(found, int) else None
