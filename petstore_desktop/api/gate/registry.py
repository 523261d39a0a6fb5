"""All gates of this program: one for each origin and key, whoever uses it.

A connection asks here for its gate when it is made, and again when its key changes; who has the same origin and key
gets the same one. Needs neither asyncio nor httpx: the program has it before its first paint.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from petstore_desktop.api.gate.admission import Admission
    from petstore_desktop.api.gate.shared import SharedGate
    from petstore_desktop.clock import Instant
    from petstore_desktop.domain.quota import GateSnapshot, Plan

    Kept: TypeAlias = tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]

Keep: TypeAlias = "Callable[[GateSnapshot], None]"
"""Writes down what a gate knows."""

Place: TypeAlias = tuple[str, str, str]
"""The file that remembers the gate, the origin, and the key's fingerprint in that file."""


class Memory(Protocol):
    """The file that remembers gates; see store/gates."""

    @property
    def path(self) -> Path:
        """Where it lies."""
        ...

    def fingerprint(self, key: str) -> str:
        """What stands for the key in it."""
        ...

    def load(self, origin: str, fingerprint: str) -> Kept:
        """What is remembered of this gate, and the pauses that other keys of the same origin met."""
        ...

    def save(self, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
        """Remember this of it."""
        ...


class Gatehouse:
    """Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gates: dict[Place, SharedGate[Admission]] = {}

    def find(
        self, memory: Memory, origin: str, key: str, plan: Plan | None, now: Instant
    ) -> tuple[SharedGate[Admission], Keep]:
        """The gate of an origin and a key ("" for none), and what keeps it in this memory, which belongs to the calling
        thread. Raises StorageError."""
        fingerprint = memory.fingerprint(key)
        found = self.gate((str(memory.path), origin, fingerprint), memory.load(origin, fingerprint), plan, now)
        return found, lambda snapshot: memory.save(origin, fingerprint, snapshot)

    def gate(self, place: Place, kept: Kept, plan: Plan | None, now: Instant) -> SharedGate[Admission]:
        """The gate of this place. `kept`: what is remembered of it, for the first who asks; and the pauses that other
        keys of the same origin met."""
        from petstore_desktop.api.gate.memory import restore
        from petstore_desktop.api.gate.shared import SharedGate

        own, pauses = kept
        with self._lock:
            found = self._gates.get(place)
            if found is None:
                found = self._gates[place] = SharedGate["Admission"](restore(own, plan, now))
        found.inherit(pauses, now)
        return found
