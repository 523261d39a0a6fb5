"""What of the gate outlives the process."""

from __future__ import annotations

from petstore_desktop.api.gate_model import GateState
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GateSnapshot, Plan


def snapshot(state: GateState, now: Instant, *, clean: bool = False) -> GateSnapshot:
    """The gate as it is to be kept."""
    raise NotImplementedError


def restore(kept: GateSnapshot | None, plan: Plan | None, now: Instant) -> GateState:
    """The gate at the start of a process."""
    raise NotImplementedError
