"""Builds a Session: one connection's contract, gate, client, mirror, journal and runner, without Qt. Window and
commands use it.

What the network needs (httpx, pydantic, asyncio) is imported in the sync thread when it starts: the first paint
waits for none of it. That is the one place of late imports for start-up time; `app.py` and the commands do it by
starting a session.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from petstore_desktop import __version__
from petstore_desktop.clock import Clock, Random, system_random
from petstore_desktop.contract import cache
from petstore_desktop.contract.operations import manual_bindings
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    BadInput,
    DocumentUnusable,
    Forbidden,
    KeyRejected,
    KeyringError,
    NotFound,
    Refused,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.preferences import ShopConnection

if TYPE_CHECKING:
    from petstore_desktop.api.client import Client
    from petstore_desktop.api.gate.admission import Admission
    from petstore_desktop.api.gate.registry import GateRegistry, Keep, SharedGate
    from petstore_desktop.api.http.gateway import Gateway
    from petstore_desktop.api.http.transport import Network
    from petstore_desktop.contract.model import Contract
    from petstore_desktop.contract.survey import Survey
    from petstore_desktop.domain.commands import Command, UseKey
    from petstore_desktop.domain.quota import SentRequest
    from petstore_desktop.store.gates import Gates
    from petstore_desktop.store.mirror.reader import FirstScreen
    from petstore_desktop.sync.connection import ShopSync
    from petstore_desktop.sync.runner import Runner
    from petstore_desktop.sync.wire.event_queue import EventQueue

    TellSent: TypeAlias = Callable[[SentRequest], object]

USER_AGENT = f"petstore-desktop/{__version__} ({sys.platform})"


class Session:
    """One connection at work.

    `service` stands in for the connection's address and the keyring's key (the demo shop: both differ from run to run);
    it may block, and is called in the sync thread. `origin` then names the gate, and the key that `service` gives has
    the same one in each run. `network`, `random`: in place of this computer's. Set before the start: `registry`, the
    program's; `started_for`: the environment's key is meant here.
    """

    registry: GateRegistry[Admission] | None = None
    started_for: bool = False

    def __init__(
        self,
        places: Places,
        connection: ShopConnection,
        clock: Clock,
        service: Callable[[], tuple[str, str]] | None = None,
        origin: str | None = None,
        *,
        network: Network | None = None,
        random: Random | None = None,
    ) -> None:
        self.places = places
        self.connection = connection
        self.clock = clock
        self.contract = self._cached_contract()
        self._service = service
        self._base_url = connection.url
        self._origin = origin
        self._network = network
        self._random = random or system_random()
        self._admission: Admission | None = None
        self._document_gate: Admission | None = None
        self._given: str | None = None
        """The key that `service` gave."""
        self._entered: str | None = None
        """The key that was entered since the start, which no keyring may have taken."""
        self.further: Mapping[str, str] = {}  # the keys beside the main one, by their security schemes
        self._runner: Runner | None = None
        self._clients: list[Client] = []

    @property
    def name(self) -> str:
        """The connection, as commands and events name it."""
        return self.connection.slug

    @property
    def plan(self) -> Plan | None:
        """The limits that the person said the key has; None where they did not."""
        return self.connection.told_limits

    def first_screen(self, resource: Resource, keys: Sequence[Key], most: int) -> FirstScreen:
        """What the first paint of a list wants, as kept here: these rows, or `most` of any where none are named. A
        mirror that cannot be read is empty."""
        from petstore_desktop.store.mirror.reader import FirstScreen, MirrorReader

        reader = MirrorReader(self.places.mirror(self.name), service_address(self.connection))
        order = "name" if resource in (Resource.PETS, Resource.CATEGORIES) else "key"
        try:
            return reader.first_screen(resource, keys or [row.key for row in reader.first(resource, most, order)])
        except ShopError:
            return FirstScreen({}, {})  # the sync thread says what is wrong with it
        finally:
            reader.close()

    @property
    def runner(self) -> Runner:
        """The sync thread, made when it is first asked for; not started by that."""
        if self._runner is None:
            from petstore_desktop.sync.runner import Runner

            self._runner = Runner(self.name, self.build)
        return self._runner

    @property
    def events(self) -> EventQueue:
        """What the sync thread tells."""
        return self.runner.events

    @property
    def requests(self) -> int:
        """How many requests have left for the service so far."""
        return sum(client.gateway.requests for client in self._clients)

    def submit(self, command: Command) -> None:
        """Hand a command to the sync thread."""
        self.runner.submit(command)

    def start(self) -> None:
        """Let the sync thread begin."""
        self.runner.start()

    def close(self) -> bool:
        """Stop the sync thread; whether it has ended."""
        return self._runner is None or self._runner.stop()

    # -- in the sync thread

    async def build(self, events: EventQueue) -> ShopSync:
        """Open the files, and put together what works on them. Where they cannot be opened, the lists that are kept are
        shown all the same. Raises StorageError."""
        from petstore_desktop.contract.binding.load import default
        from petstore_desktop.off_loop import off_loop, when_free
        from petstore_desktop.session.files import open_files, open_gates
        from petstore_desktop.store.mirror.reader import MirrorReader
        from petstore_desktop.sync.connection import ShopSync
        from petstore_desktop.sync.connection_setup import ConnectionParts
        from petstore_desktop.sync.shared.initial_load import tell_mirror
        from petstore_desktop.sync.shared.sent_report import SentReport

        gates = await when_free(lambda: open_gates(self.places))
        address = service_address(self.connection)
        reader = MirrorReader(self.places.mirror(self.name), address)
        try:
            files = open_files(self.places, self.name, lambda: self.clock.now().wall, address, gates)
        except StorageError:
            with suppress(StorageError):
                await off_loop(lambda: tell_mirror(self.name, reader, events), f"mirror of {self.name}")
            raise
        sent = SentReport(self.name, events.put, files.send_log)
        return ShopSync(
            ConnectionParts(
                connection=self.name,
                clock=self.clock,
                events=events,
                mirror=files.mirror,
                history=files.history,
                reader=reader,
                journal=files.journal,
                contract=self.contract or default(),
                # The demo shop is another one whenever its options are: it is asked at each start.
                contract_known=not self.connection.demo and cache.is_fresh(self.contract, self.clock.now().wall),
                read_key=self.read_key,
                keep_key=self._keep_key,
                new_key=lambda entered: self._new_key(files.gates, entered.key, entered.further),
                connect=lambda key, tell, want_probe: self._connect(files.gates, key, tell, want_probe, sent.add),
                learn=lambda client, again: self._learn(client, files.gates, sent.add, again),
                keep_contract=self._keep_contract,
                sent=sent,
                close=files.close,
                troubles=files.troubles,
                read_only=self.connection.read_only,
                bind_by_hand=self._bind,
            )
        )

    def _connect(
        self,
        gates: Gates,
        key: str | None,
        tell: Callable[..., None],
        want_probe: Callable[[], None],
        tell_sent: TellSent,
    ) -> Client:
        from petstore_desktop.api.client import Client
        from petstore_desktop.api.gate.admission import Admission
        from petstore_desktop.contract.binding.load import default

        shared, persist = self._gate(gates, key)
        admission = Admission(self.clock, self._random, persist, tell, self.plan, want_probe=want_probe, gate=shared)
        contract = self.contract or default()
        try:
            client = Client(self._gateway(self._base_url, key, admission, tell_sent), contract)
            client.gateway.use_further(self.further)
        except BadInput:  # the key cannot be sent: it is tried without one, from another seat
            admission.close()
            raise
        if key is not None and key == self._given:
            admission.unlock()  # only the key of an earlier run can have been rejected
        self._admission = admission
        self._clients.append(client)
        return client

    def _gateway(self, address: str, key: str | None, admission: Admission, tell_sent: TellSent) -> Gateway:
        from petstore_desktop.api.http.gateway import Gateway

        network, ca_file = self._network, self.connection.ca_file
        return Gateway(
            address, key, admission, self.clock, USER_AGENT, transport=network, tell_sent=tell_sent, ca_file=ca_file
        )

    def _gate(self, gates: Gates, key: str | None) -> tuple[SharedGate[Admission], Keep]:
        """The gate of this service and a key, and what keeps it."""
        return self.gates_here.find(gates, self._gate_origin, self.gate_key(key), self.plan, self.clock.now())

    def gate_key(self, key: str | None) -> str:
        """What tells the gate of this key from others of its origin: the key, or nothing for one that is made anew for
        each run."""
        return "" if key is None or (self._origin is not None and key == self._given) else key

    @property
    def _gate_origin(self) -> str:
        from petstore_desktop.api.address import gate_origin

        return self._origin or gate_origin(self._base_url)

    @cached_property
    def gates_here(self) -> GateRegistry[Admission]:
        """Where this connection has its gate; a check of it goes through the same one."""
        from petstore_desktop.api.gate.registry import GateRegistry

        return self.registry or GateRegistry()

    def _new_key(self, gates: Gates, key: str, further: Mapping[str, str] | None = None) -> Mapping[str, str]:
        """Use these keys from now on at the main one's gate ("": the same). Returns the others. Raises BadInput."""
        from petstore_desktop.api.http.secret import Secret

        for one in (key, *(further or {}).values()):
            Secret.of(one)
        self._entered = key or self._entered
        self.further = {**self.further, **(further or {})}
        if self._admission is not None:
            if key:
                self._admission.move(*self._gate(gates, key))
            self._admission.unlock()
        return self.further

    async def _learn(self, client: Client, gates: Gates, tell_sent: TellSent, again: bool) -> Contract:
        """The contract of the chosen, the published or the default document, cached for the next start. `again`: it was
        asked for before, and came to nothing."""
        from petstore_desktop.api.client import BY_PERSON
        from petstore_desktop.contract import contract_files as kept
        from petstore_desktop.contract.binding.load import is_profile, learn
        from petstore_desktop.off_loop import off_loop

        chosen, where = self.connection.document, self.connection.url
        data, place = None, ""
        if is_profile(chosen):
            return await self._follow_profile(client, chosen or "")
        if chosen is None:
            found = await client.fetch_document(replace(BY_PERSON, retry=again))
            data, place = (None, "") if found is None else (found.data, found.place)
        elif "://" in chosen:
            data, place = await self._fetch(chosen, gates, tell_sent, again), chosen
        work = partial(learn, data, chosen, self.contract, self.connection.by_hand, address=where, place=place)
        contract = await off_loop(work, "document")
        contract = replace(contract, address=service_address(self.connection), read_at=self.clock.now().wall)
        if contract.refused is not None:  # the next start asks again
            self.contract = self.contract or contract
            return contract
        self.contract = contract
        with suppress(OSError):  # a contract that cannot be cached is asked for again
            kept.keep(self.places.contract(self.name), contract, data)
        return contract

    async def _follow_profile(self, client: Client, file: str) -> Contract:
        """The contract that a profile says, with what the service's own document says otherwise, where it publishes one
        that can be had now. Raises DocumentUnusable."""
        from petstore_desktop.contract.binding.comparing import compared
        from petstore_desktop.contract.binding.load import load_file
        from petstore_desktop.contract.lifecycle.sunset import carried
        from petstore_desktop.contract.model import FROM_PROFILE, Contract
        from petstore_desktop.off_loop import off_loop

        try:
            contract = await off_loop(partial(load_file, file, bindings=self.connection.by_hand), "profile")
        except DocumentUnusable as error:
            if self.contract is not None:
                raise
            return Contract({}, source=FROM_PROFILE, refused=error)  # the default one would be a guess
        contract = carried(self.contract, contract)
        client.use_contract(contract)  # the key goes where the profile says
        with suppress(ShopError):
            found = await client.fetch_document()
            if found is not None:
                work = partial(compared, contract, found.data, self.connection.url, found.place)
                contract = await off_loop(work, "document")
        contract = replace(contract, address=service_address(self.connection), read_at=self.clock.now().wall)
        self._keep_contract(contract)
        return contract

    def _keep_contract(self, contract: Contract) -> None:
        """What answers have said of it is part of it from now on."""
        self.contract = replace(contract, address=service_address(self.connection))
        with suppress(OSError):  # it is said again
            cache.write(self.places.contract(self.name), self.contract)

    def _bind(self, bindings: Mapping[str, str]) -> Contract | None:
        """The contract with what a person bound by hand; None where the document is not kept here. Blocks."""
        from petstore_desktop.contract import contract_files as kept
        from petstore_desktop.session.connections import bound_by_hand

        self.connection = bound_by_hand(self.connection, bindings)
        known = self.contract
        contract = kept.rebind(self.places.contract(self.name), self.connection.document, bindings, known)
        self.contract = contract or known
        return contract

    def survey(self) -> Survey:
        """How each operation was found in the service's document. Blocks for the disk; in any thread."""
        from petstore_desktop.contract import contract_files as kept

        return kept.survey_of(self.places.contract(self.name), self.contract)

    def survey_with(self, bindings: Mapping[str, str]) -> Survey | None:
        """How each operation would be found with what a person binds by hand; None where the document is not kept here.
        Blocks for the disk; in any thread. Raises DocumentUnusable."""
        from petstore_desktop.contract import contract_files as kept

        return kept.survey_with(self.places.contract(self.name), self.connection.document, bindings, self.contract)

    async def _fetch(self, url: str, gates: Gates, tell_sent: TellSent, again: bool) -> bytes:
        """A document from an address of its own: without the key, which belongs to the service alone, and through
        the gate of that origin, which is the service's own where it lies there."""
        from petstore_desktop.api.address import gate_origin, origin_text
        from petstore_desktop.api.gate.model import DOCUMENT
        from petstore_desktop.api.http.error_responses import document_error
        from petstore_desktop.api.http.gateway import Sending
        from petstore_desktop.api.http.transport import Request
        from petstore_desktop.domain.quota import RequestClass

        origin = origin_text(url)
        admission = self._gate_of_document(gates, gate_origin(url))

        def told(sent: SentRequest) -> object:
            return tell_sent(replace(sent, path=f"{origin}{sent.path}"))  # below another address than the others

        gateway = self._gateway(origin, None, admission, told)
        sending = Sending(RequestClass.PERSON, retry=again, scheme=DOCUMENT, keyless=True)
        try:
            return (await gateway.send(None, Request("GET", url), sending)).body
        except (NotFound, Refused, Forbidden, KeyRejected, AnswerUnusable) as error:
            raise document_error(error, url) from error
        finally:
            await gateway.aclose()

    def _gate_of_document(self, gates: Gates, origin: str) -> Admission:
        from petstore_desktop.api.address import gate_origin
        from petstore_desktop.api.gate.admission import Admission

        if self._admission is not None and origin in (self._gate_origin, gate_origin(self._base_url)):
            return self._admission
        # Looked up each time: other keys of that origin may have met a pause meanwhile.
        shared, persist = self.gates_here.find(gates, origin, "", None, self.clock.now())
        if self._document_gate is None:
            plan = shared.state.plan
            self._document_gate = Admission(self.clock, self._random, persist, lambda _: None, plan, gate=shared)
        return self._document_gate

    def _cached_contract(self) -> Contract | None:
        contract = cache.read(self.places.contract(self.connection.slug), service_address(self.connection))
        return (
            contract if contract is not None and contract.by_hand == manual_bindings(self.connection.by_hand) else None
        )

    def read_key(self) -> str | None:
        """The key in use, None without one. Blocks for the keyring. Raises KeyringError, Unreachable."""
        if self._entered is not None:
            return self._entered
        if self._service is None:
            from petstore_desktop.session.keys import read_keys

            key, further = read_keys(self.places, self.connection, environment=self.started_for)
            self.further = {**further, **self.further}
            return key
        try:
            self._base_url, key = self._service()
            self._given = key
        except OSError as error:
            raise Unreachable("demo-failed", why=str(error)) from error
        from petstore_desktop import log
        from petstore_desktop.session.keys import read_further

        with suppress(KeyringError):  # the key that stands in is there because no keyring took it, perhaps
            self.further = {**read_further(self.places, self.connection), **self.further}
        return log.keep_secret(key) if key else None

    @property
    def address(self) -> str:
        """Where the service is, as far as known: that of the demo shop is known once its key has been read."""
        return self._base_url

    @property
    def origin(self) -> str | None:
        """What names the gate, where that is not the address's own origin."""
        return self._origin

    def _keep_key(self, entered: UseKey) -> None:
        if not self.connection.demo:
            from petstore_desktop.session.keys import keep_keys

            keep_keys(self.places, self.connection, entered.key, entered.further)


def service_address(connection: ShopConnection) -> str:
    """The service to which belongs what a connection keeps. The demo shop is the same one at whatever port it
    listens."""
    from petstore_desktop.api.address import service_of

    return "demo" if connection.demo else service_of(connection.url)
