"""The demo shop's key is another in each run, and what its gate knows lasts."""

from __future__ import annotations

from pathlib import Path

from petstore_desktop.api.gate.admission import Admission
from petstore_desktop.api.gate.registry import GateRegistry
from petstore_desktop.clock import SystemClock
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.events import GateMoved
from tests.support.session import NAME, Watched
from tests.support.shop import Shop


class Run(Watched):
    """One run with a key of its own, in the same program."""

    gates = GateRegistry[Admission]()

    def __init__(self, data: Path, shop: Shop, key: str) -> None:
        super().__init__(data, shop, key=key, start=False)
        shop.control("restore", key=key)
        self.session = Session(
            self.places, ShopConnection("Demo", NAME, shop.url, demo=True), SystemClock(), self._service, "demo"
        )
        self.session.registry = self.gates
        self.session.start()


def test_that_the_key_of_an_earlier_run_was_rejected_is_nothing_to_the_next(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", pets=5) as shop:
        with Run(tmp_path / "data", shop, "of-the-first-run") as first:
            first.wait_loaded()
            shop.control("revoke")
            first.submit(Refresh((Resource.PETS,)))
            first.wait(
                lambda: any(one.gate.phase is GatePhase.LOCKED for one in first.of(GateMoved)), "the key is rejected"
            )
        with Run(tmp_path / "data", shop, "of-the-second-run") as second:
            second.submit(Refresh(tuple(Resource)))
            second.wait_loaded()
