"""What keeps two connections of one program and their file of pauses from sending early, and a way to take it away.

A program without one of these must be found out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from petstore_desktop.api.gate import answers as gate_answers
from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate.admission import Admission
from petstore_desktop.api.gate.memory import restore
from petstore_desktop.api.gate.model import Tick
from petstore_desktop.api.gate.registry import GateRegistry, SharedGate
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.session.session import Session
from petstore_desktop.store import gates
from petstore_desktop.store.gates import Gates


class Mend(NamedTuple):
    """What the program does, where that is said, what is put in its place, and an episode that finds it out."""

    says: str
    where: object
    name: str
    instead: Any
    episode: str = "1:0"


def take_out(mend: Mend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the other thing in its place."""
    monkeypatch.setattr(mend.where, mend.name, mend.instead)


def _each_its_own(self: GateRegistry, place: object, kept: Any, plan: Any, now: Any) -> SharedGate[Admission]:
    return SharedGate(restore(kept[0], plan, now, kept[1]))


def _beside_the_service(self: Session, memory: Any, origin: str) -> Admission:
    shared, keep = self.gates_here.find(memory, origin, "", None, self.clock.now())
    if self._document_gate is None:
        self._document_gate = Admission(self.clock, self._random, keep, lambda _: None, gate=shared)
    return self._document_gate


def _as_if_kept(original: Callable[..., bool]) -> Callable[..., bool]:
    return lambda *args: original(*args) or True


MENDS = [
    Mend("lets two connections wait at one gate", GateRegistry, "gate", _each_its_own),
    Mend("asks at the service's gate for a document of its own", Session, "_gate_of_document", _beside_the_service),
    Mend("believes no windows of who has no key", gate_answers, "_of_the_key", lambda _: True),
    Mend("reads what a damaged file still shows", gates, "_salvaged", lambda _: (None, ()), "12:13"),
    Mend("doubts where a file is lost", gates, "_DOUBT", replace(gates._DOUBT, phase=GatePhase.OPEN), "1:4"),
    Mend("makes a file anew that is gone", Gates, "_make_anew", lambda _: None, "1:5"),
    Mend("tries again soon what a locked file did not take", gate, "WRITTEN_AGAIN", 3_600.0, "1:3"),
    Mend("knows what a locked file did not take", Admission, "_keep", _as_if_kept(Admission._keep), "1:7"),
    Mend("writes down what a key before was told", Admission, "wake", lambda self: self._handle(Tick()), "1:8"),
]
