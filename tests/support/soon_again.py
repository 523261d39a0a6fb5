"""What failed is tried again after a fraction of a second, where a program or a session over a socket is tested and how
long it really waits is not the matter: that is proven in tests/api/gate and in tests/sync, in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

_SHORT = (
    ("petstore_desktop.api.gate.back_off", "FAILURE_FIRST", 0.4),
    ("petstore_desktop.api.gate.back_off", "FAILURE_MOST", 0.8),
    ("petstore_desktop.api.gate.back_off", "LOST_PROBE_MOST", 1.0),
    ("petstore_desktop.api.gate.back_off", "BLIND_FIRST", 4.0),
    ("petstore_desktop.api.gate.retries", "TOKEN_S", 0.5),
    ("petstore_desktop.sync.shared.record_backoff", "FIRST_S", 0.2),
    ("petstore_desktop.sync.shared.record_backoff", "LONGEST_S", 0.5),
)
"""Module, name, seconds. Pauses that the service asks for, and bans, stay what they are."""


def soon_again(put: Callable[[object, str, float], object]) -> None:
    """For as long as `put` (pytest's monkeypatch.setattr) lets it be so. Only where a service's "minute" takes four
    seconds at most, or it allows as much as one likes."""
    for module, name, seconds in _SHORT:
        put(import_module(module), name, seconds)
