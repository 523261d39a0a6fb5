"""What one document makes of itself is found out once in a process, however many desks of its tests learn it.

    monkeypatch.setattr(load, "load", learned_once)     # load: petstore_desktop.contract.binding.load

The same contract each time, as nobody changes one. Not for tests that change the bounds of reading a document.
"""

from __future__ import annotations

from functools import lru_cache

from petstore_desktop import log
from petstore_desktop.contract.binding import load as loading
from petstore_desktop.contract.model import Contract

_load = loading.load


def learned_once(
    data: bytes,
    *,
    source: str,
    bindings: loading.Bindings | None = None,
    address: str = "",
    place: str = "",
    refuse: bool = True,
) -> Contract:
    """As `load`."""
    if log.repeats_secret(data.decode("utf-8", "replace")):  # which is in no contract, once it is known
        return _load(data, source=source, bindings=bindings, address=address, place=place, refuse=refuse)
    bound = tuple(sorted((name, str(where)) for name, where in (bindings or {}).items()))
    return _learned(data, source, bound, address, place, refuse)


@lru_cache(maxsize=64)
def _learned(
    data: bytes,
    source: str,
    bindings: tuple[tuple[str, str], ...],
    address: str,
    place: str,
    refuse: bool,
) -> Contract:
    return _load(data, source=source, bindings=dict(bindings), address=address, place=place, refuse=refuse)
