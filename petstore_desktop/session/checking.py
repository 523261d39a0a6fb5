"""Checks a connection that need not be open: for `doctor`, for `connect`, and for the window. All it asks passes the
gate of that origin, and is a read."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api.check.findings import Findings, Wanted
from petstore_desktop.clock import Clock, SystemClock, system_random
from petstore_desktop.contract.model import KEY_FAULTS
from petstore_desktop.contract.operations import MAIN_KEY
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.checks import About, Check, CheckReport
from petstore_desktop.domain.errors import BadInput, ShopError, StorageError
from petstore_desktop.domain.quota import SentRequest
from petstore_desktop.platform_support import make_private_directory
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import USER_AGENT

if TYPE_CHECKING:
    import asyncio

    from petstore_desktop.api.check.checks import CheckResult, Learnt
    from petstore_desktop.api.gate.admission import Admission
    from petstore_desktop.api.gate.registry import GateRegistry
    from petstore_desktop.api.http.gateway import Gateway
    from petstore_desktop.store.gates import Gates

BOUND_S = 60.0
"""Seconds for a whole check."""
DEADLINE_S = 30.0
"""Seconds for one request."""


class CheckOutcome(Struct, frozen=True):
    """`learnt`: the contract found, None if unknown; `sent`: requests used; `cancelled`: stopped by a person;
    `trouble`: an error in the file of pauses."""

    report: CheckReport
    learnt: Learnt | None = None
    sent: tuple[SentRequest, ...] = ()
    cancelled: bool = False
    trouble: StorageError | None = None


def wanted_of(connection: ShopConnection, key: str, further: Mapping[str, str]) -> Wanted:
    """The check's inputs for a connection."""
    own = "own" if connection.per_minute or connection.per_day else ""
    return Wanted(
        connection.url,
        key,
        connection.document,
        connection.ca_file,
        connection.plan or own,
        connection.by_hand,
        further=further,
    )


def with_main_key(connection: ShopConnection, learnt: Learnt | None) -> ShopConnection:
    """The connection with the security scheme that the main key is for, where the check has found that out."""
    chosen = "" if learnt is None else learnt.contract.by_hand.get(MAIN_KEY, "")
    return replace(connection, bindings={**connection.bindings, MAIN_KEY: chosen}) if chosen else connection


class Checking:
    """One check, to be run once. `tell` hears each part when it is finished, in the thread of `run`."""

    def __init__(
        self,
        places: Places,
        wanted: Wanted,
        clock: Clock,
        tell: Callable[[Check], object] = lambda _: None,
        *,
        registry: GateRegistry[Admission] | None = None,
    ) -> None:
        """`registry` is the program's, so that an open connection shares its gate with the check of it."""
        self._places, self._wanted, self._clock, self._tell = places, wanted, clock, tell
        self._registry = registry
        self._sent: list[SentRequest] = []
        self._lock = threading.Lock()
        self._cancelled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[CheckResult] | None = None
        self._trouble: StorageError | None = None

    def run(self) -> CheckOutcome:
        """Check; blocks for at most 60 s. What goes wrong is in the report, never raised as a ShopError."""
        import asyncio  # late, as below: this module is loaded in the window's thread, and this is not called there

        from petstore_desktop.off_loop import run_loop

        try:
            checked = run_loop(self._within_bounds)
        except asyncio.CancelledError:
            report = self._counted(not_asked(About.ADDRESS, ShopError("stopped"), "stopped"))
            return CheckOutcome(report, None, tuple(self._sent), True)
        except ShopError as error:
            report = self._counted(not_asked(_about(error), error, error.code, self._tell))
            return CheckOutcome(report, None, tuple(self._sent), trouble=self._trouble)
        report = self._counted(checked.report)
        return CheckOutcome(report, checked.learnt, tuple(self._sent), trouble=self._trouble)

    def _counted(self, report: CheckReport) -> CheckReport:
        """With all that left, whatever became of it."""
        return replace(report, requests=len(self._sent))

    def cancel(self) -> None:
        """Stop it, from any thread: nothing more is sent."""
        with self._lock:
            self._cancelled = True
            if self._loop is not None and self._task is not None:
                with suppress(RuntimeError):  # it has just ended
                    self._loop.call_soon_threadsafe(self._task.cancel)

    async def _within_bounds(self) -> CheckResult:
        import asyncio

        with self._lock:
            if self._cancelled:
                raise asyncio.CancelledError
            self._loop = asyncio.get_running_loop()
            self._task = self._loop.create_task(self._check())  # house: thread - awaited below
        return await self._task

    async def _check(self) -> CheckResult:
        import asyncio

        from petstore_desktop.api.address import clean_base_url, gate_origin
        from petstore_desktop.api.check.checks import ServiceCheck
        from petstore_desktop.api.http.proxies import proxy_for
        from petstore_desktop.session.files import open_gates

        wanted = self._wanted
        url = clean_base_url(wanted.url)
        with closing(open_gates(self._places)) as gates:
            self._trouble = gates.trouble
            own = wanted.key if wanted.gate_key is None else wanted.gate_key
            admission = self._admission(gates, wanted.origin or gate_origin(url), own)
            gateway = self._gateway(url, wanted.key, admission)
            proxy, document = proxy_for(url), self._document(gates, url, admission)
            gateway.use_further(wanted.further)
            checkup = ServiceCheck(gateway, wanted, document, "" if proxy is None else proxy.shown, self._tell)
            try:
                admission.unlock()
                async with asyncio.timeout(BOUND_S):
                    await checkup.run()
            except TimeoutError:
                checkup.give_up()
            finally:
                admission.close()
                await gateway.aclose()
        return checkup.checked()

    def _document(self, gates: Gates, url: str, admission: Admission) -> Callable[[], Awaitable[Learnt]] | None:
        """What fetches the chosen document; None where none is chosen."""
        from petstore_desktop.api.check.checks import Learnt
        from petstore_desktop.contract.binding.load import load, load_file
        from petstore_desktop.off_loop import off_loop

        chosen, bindings = self._wanted.document, self._wanted.bindings
        if not chosen:
            return None

        async def document() -> Learnt:
            if "://" not in chosen:
                return Learnt(await off_loop(partial(load_file, chosen, bindings=bindings, address=url), "document"))
            data = await self._fetch(gates, chosen, url, admission)
            read = partial(load, data, source="chosen", bindings=bindings, address=url, place=chosen)
            return Learnt(await off_loop(read, "document"), data)

        return document

    def _gateway(self, address: str, key: str | None, admission: Admission) -> Gateway:
        from petstore_desktop.api.http.gateway import Gateway

        tell, ca_file = self._sent.append, self._wanted.ca_file
        return Gateway(
            address, key, admission, self._clock, USER_AGENT, deadline_s=DEADLINE_S, tell_sent=tell, ca_file=ca_file
        )

    def _admission(self, gates: Gates, origin: str, key: str) -> Admission:
        from petstore_desktop.api.gate.admission import Admission
        from petstore_desktop.api.gate.registry import GateRegistry

        gate, persist = (self._registry or GateRegistry()).find(gates, origin, key, None, self._clock.now())
        # What a person said of the limits stays as it is.
        return Admission(self._clock, system_random(), persist, lambda _: None, gate.state.plan, gate=gate)

    async def _fetch(self, gates: Gates, url: str, service: str, at_service: Admission) -> bytes:
        """A document from an address of its own: without the key, and through the gate of that origin, which is the
        service's where it lies there."""
        from petstore_desktop.api.address import clean_base_url, gate_origin, origin_text
        from petstore_desktop.api.gate.model import DOCUMENT
        from petstore_desktop.api.http.error_responses import document_error
        from petstore_desktop.api.http.gateway import Sending
        from petstore_desktop.api.http.transport import Request
        from petstore_desktop.domain.quota import RequestClass

        clean_base_url(url)
        origin = gate_origin(url)
        here = origin in (self._wanted.origin, gate_origin(service))
        admission = at_service if here else self._admission(gates, origin, "")
        gateway = self._gateway(origin_text(url), None, admission)
        sending = Sending(RequestClass.PERSON, scheme=DOCUMENT, keyless=True)
        try:
            return (await gateway.send(None, Request("GET", url), sending)).body
        except ShopError as error:
            raise document_error(error, url) from error
        finally:
            if not here:
                admission.close()
            await gateway.aclose()


def not_asked(
    about: About, error: ShopError, code: str, tell: Callable[[Check], object] = lambda _: None, proxy: bool = False
) -> CheckReport:
    """The report where nothing could be asked at all, because of this."""
    found = Findings(tell, proxied=proxy)
    found.bad(about, code, error)
    return CheckReport(found.finish())


def _about(error: ShopError) -> About:
    """Problems found before anything is sent."""
    if error.code in KEY_FAULTS:
        return About.KEY
    return About.TLS if isinstance(error, BadInput) and error.code.startswith("ca-file") else About.ADDRESS


def write_down(places: Places, slug: str, sent: Sequence[SentRequest], now: float) -> None:
    """What a check has sent counts for the connection that came of it; a log that takes nothing is no reason not to
    connect. Blocks; `now` in UTC epoch seconds."""
    from petstore_desktop.store.request_log import SendLog

    with suppress(StorageError), closing(SendLog(places.requests(slug), now)) as kept:
        kept.add(sent)


def keep_contract(places: Places, slug: str, url: str, learnt: Learnt | None) -> None:
    """Store the contract found at this address, so that the first opening need not ask again. Blocks."""
    from petstore_desktop.api.address import service_of
    from petstore_desktop.contract import contract_files as kept

    if learnt is None:
        return
    with suppress(OSError):  # then it is asked again
        make_private_directory(places.connection(slug))
        contract = replace(learnt.contract, address=service_of(url), read_at=SystemClock().now().wall)
        kept.keep(places.contract(slug), contract, learnt.data)


def keep_keyless(places: Places, slug: str, url: str, learnt: Learnt | None) -> None:
    """Where the document says that the service wants no key, none is waited for; of all others nothing is kept."""
    from petstore_desktop.contract.model import KeyPlace

    if learnt is not None and learnt.contract.key.place is KeyPlace.NONE:
        keep_contract(places, slug, url, learnt)
