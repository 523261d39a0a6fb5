"""All gates of this program: one for each origin and key, shared by all connections that use them.

A connection asks here for its gate when it is made, and again when its key changes; who has the same origin and key
gets the same one. Without this each would reckon alone: a 429 that one has met would not hold the other, and near the
end of a window both would let their last requests go. A service bans for that. Needs neither asyncio nor httpx.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from petstore_desktop.api.gate.memory import inherit, restore, take_over
from petstore_desktop.api.gate.model import Closure, Event, GateState
from petstore_desktop.clock import Instant
from petstore_desktop.contract.model import word_before
from petstore_desktop.domain.quota import GateSnapshot

if TYPE_CHECKING:
    from pathlib import Path

    from petstore_desktop.domain.quota import Plan

    Kept: TypeAlias = tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]

Member = TypeVar("Member")


class SharedGate(Generic[Member]):
    """The state of one gate. Hold `lock` to read or change it from more than one thread.

    `owners`: whose ticket it is, as long as it waits; `events` and `stepping` belong to the thread that steps the gate
    now. It outlives its members: who comes back later finds what it knew.
    """

    def __init__(self, state: GateState) -> None:
        self.lock = threading.RLock()
        self.state = state
        self.members: list[Member] = []
        self.owners: dict[int, Member] = {}
        self.events: deque[Event] = deque()
        self.stepping = False

    def join(self, member: Member) -> None:
        """Add a member. A gate that closed when its last member left opens again, and writes down anew that requests
        may leave from now on."""
        with self.lock:
            if not self.members:
                self.state = replace(self.state, closed=False, kept=())
            self.members.append(member)

    def leave(self, member: Member) -> bool:
        """Remove a member, a second time without effect; return whether none is left."""
        with self.lock:
            if member in self.members:
                self.members.remove(member)
            for ticket in [ticket for ticket, owner in self.owners.items() if owner is member]:
                del self.owners[ticket]
            return not self.members

    def told_more_than(self, pause: Closure | None) -> bool:
        """Whether the service itself has told this client to wait since this was in force. A probe that was lost is no
        word of it, and is tried again with this key alone, whose windows no other key has either."""
        closure = self.state.closure
        return closure is not pause and not self.state.lost_probes and not (closure and closure.blind)

    def inherit(self, pauses: Iterable[GateSnapshot], now: Instant) -> None:
        """Other keys of the same origin were told to wait."""
        with self.lock:
            for pause in pauses:
                self.state = inherit(pause, self.state, now)

    def follow(self, other: SharedGate[Member]) -> None:
        """The gate of another key of the same origin: its pause holds here too."""
        theirs = other.state  # frozen, and replaced whole: one lock is enough
        with self.lock:
            self.state = take_over(theirs, self.state)


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
        """The stored state of this gate, and the pauses met under other keys of the same origin."""
        ...

    def save(self, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
        """Remember this of it."""
        ...


class GateRegistry(Generic[Member]):
    """Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gates: dict[Place, SharedGate[Member]] = {}

    def find(
        self, memory: Memory, origin: str, key: str, plan: Plan | None, now: Instant
    ) -> tuple[SharedGate[Member], Keep]:
        """The gate of an origin and a key ("" for none), and what keeps it in this memory, which belongs to the calling
        thread. Raises StorageError."""
        fingerprint = memory.fingerprint(word_before(key)[1])
        found = self.gate((str(memory.path), origin, fingerprint), memory.load(origin, fingerprint), plan, now)
        return found, lambda snapshot: memory.save(origin, fingerprint, snapshot)

    def gate(self, place: Place, kept: Kept, plan: Plan | None, now: Instant) -> SharedGate[Member]:
        """The gate of this origin and key, made at the first request from `kept`: its stored state, and pauses met
        under other keys of the same origin."""

        own, pauses = kept
        with self._lock:
            found = self._gates.get(place)
            if found is None:
                found = self._gates[place] = SharedGate[Member](restore(own, plan, now, pauses))
                return found
        found.inherit(pauses, now)
        return found
