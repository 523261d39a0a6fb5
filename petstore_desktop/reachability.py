"""Does a service answer at this address, and does it take this key? All it asks passes the gate of that origin."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from petstore_desktop.assembly import USER_AGENT
from petstore_desktop.clock import Clock, system_random
from petstore_desktop.contract.model import Contract, Op
from petstore_desktop.domain.errors import RateLimited, ShopError, StorageError
from petstore_desktop.domain.quota import GatePhase, GateSnapshot
from petstore_desktop.domain.requests import SentRequest
from petstore_desktop.preferences import Places

BOUND_S = 40.0


@dataclass(frozen=True, slots=True)
class Found:
    """What a test found. `error` None: it answers and takes the key. `offered` counts operations, `missing` those it
    lacks; `sent` is what it took."""

    error: ShopError | None
    title: str = ""
    offered: int = 0
    missing: int = 0
    sent: tuple[SentRequest, ...] = ()


def ask(places: Places, url: str, key: str, clock: Clock) -> Found:
    """Ask once; blocks for at most 40 s. What goes wrong is in the answer, never raised as a ShopError."""
    sent: list[SentRequest] = []
    return replace(_found(places, url, key, clock, sent), sent=tuple(sent))


def write_down(places: Places, slug: str, sent: Sequence[SentRequest], now: float) -> None:
    """What a test has sent counts for the connection that came of it; a log that takes nothing is no reason not to
    connect. Blocks; `now` in UTC epoch seconds."""
    from petstore_desktop.store.send_log import SendLog

    with suppress(StorageError), closing(SendLog(places.requests(slug), now)) as kept:
        kept.add(sent)


def _found(places: Places, url: str, key: str, clock: Clock, sent: list[SentRequest]) -> Found:
    try:
        contract = asyncio.run(_ask(places, url, key, clock, sent))
    except ShopError as error:
        return Found(error)
    except TimeoutError:
        return Found(ShopError("too-slow"))
    return Found(None, contract.title, len(contract.operations), len(Op) - len(contract.operations))


async def _ask(places: Places, url: str, key: str, clock: Clock, sent: list[SentRequest]) -> Contract:
    from petstore_desktop.api.address import clean_base_url, origin_text
    from petstore_desktop.api.admission import Admission
    from petstore_desktop.api.client import Client
    from petstore_desktop.contract.load import default, load
    from petstore_desktop.store.gates import Gates

    address = clean_base_url(url)
    gates = Gates(places.gates)
    origin, fingerprint = origin_text(address), gates.fingerprint(key)

    def persist(snapshot: GateSnapshot) -> None:
        gates.save(origin, fingerprint, snapshot)

    own, pauses = gates.load(origin, fingerprint)
    admission = Admission(clock, system_random(), persist, lambda _: None, restored=own, pauses=pauses)
    client = Client(address, default(), key, admission, clock, USER_AGENT, tell_sent=sent.append)
    try:
        if admission.view.phase in (GatePhase.PAUSED, GatePhase.BANNED, GatePhase.SPENT):
            # It would be waited for as long as the service said, and nobody watches a dialog for that long.
            raise RateLimited("paused-before", status=429, message=admission.view.reason or "")
        admission.key_changed()
        async with asyncio.timeout(BOUND_S):
            document = await client.fetch_document()
            if document is not None:
                client.use_contract(load(document, source="published"))
            await client.probe()
        return client.contract
    finally:
        admission.close()
        await client.aclose()
        gates.close()
