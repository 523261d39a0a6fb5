"""All gates of this program: one for each origin and key, whoever uses it.

A connection asks here for its gate when it is made, and again when its key changes; who has the same origin and key
gets the same one. Needs neither asyncio nor httpx: the program has it before its first paint.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from petstore_desktop.api.admission import Admission
    from petstore_desktop.api.shared_gate import SharedGate
    from petstore_desktop.clock import Instant
    from petstore_desktop.domain.quota import GateSnapshot, Plan

    Kept: TypeAlias = tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]

Place: TypeAlias = tuple[str, str, str]
"""The file that remembers the gate, the origin, and the key's fingerprint in that file."""


class Gatehouse:
    """Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gates: dict[Place, SharedGate[Admission]] = {}

    def gate(self, place: Place, kept: Kept, plan: Plan | None, now: Instant) -> SharedGate[Admission]:
        """The gate of this place. `kept`: what is remembered of it, for the first who asks; and the pauses that other
        keys of the same origin met."""
        from petstore_desktop.api.gate_memory import restore
        from petstore_desktop.api.shared_gate import SharedGate

        own, pauses = kept
        with self._lock:
            found = self._gates.get(place)
            if found is None:
                found = self._gates[place] = SharedGate["Admission"](restore(own, plan, now))
        found.inherit(pauses, now)
        return found

    def new_key(self, seat: Admission, place: Place, now: Instant) -> None:
        """A connection uses another key of the same origin from now on: the pause that it met goes on, here and there.
        To be called before it is told by `key_changed`."""
        with self._lock:
            old, other = seat.gate, self._gates.get(place)
            if other is old:
                return
            if other is not None:
                other.inherit((old.memory(now),), now)
            elif len(old.seats) > 1:
                other = self._gates[place] = old.for_another_key(now)
            else:
                self._gates = {known: one for known, one in self._gates.items() if one is not old}
                self._gates[place] = old
                return
        seat.move(other)
