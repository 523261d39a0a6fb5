"""A bound Contract as JSON text, so that a start needs neither the document nor YAML.

It is read before the first paint: keep it cheap.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import convert
from msgspec.structs import asdict

from petstore_desktop.contract.model import FROM_PROFILE, Contract
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.platform_support import write_whole
from petstore_desktop.regular_files import read_regular

FORMAT = 54
"""The cache version: raised whenever the fields of Contract or Operation or the binding rules change; an older cache is
bound again from its document."""

MOST_KEPT = 64 * 1024 * 1024
"""Bytes that are read of a document that is kept, or of what it was bound to."""

ASKED_AGAIN_S = 7 * 86_400.0
"""Seconds after which the first start asks a service again for the document that it publishes."""


def read(file: Path, address: str) -> Contract | None:
    """The contract that is kept of the service at this address; None where there is none that can be used. Blocks."""
    try:
        contract = from_json(read_regular(file, MOST_KEPT).decode("utf-8"))
    except (OSError, UnicodeDecodeError, DocumentUnusable):
        return None
    return contract if contract.address == address else None


def write(file: Path, contract: Contract) -> None:
    """Keep it, whole or not at all. Blocks. Raises OSError."""
    write_whole(file, to_json(contract).encode("utf-8"))


def is_fresh(contract: Contract | None, now: float) -> bool:
    """Whether what is kept needs not be asked for again: a document that a service publishes may change, also one with
    which a profile is compared."""
    asked = contract is not None and contract.source in ("published", FROM_PROFILE)
    return contract is not None and (not asked or now - contract.read_at < ASKED_AGAIN_S)


def to_json(contract: Contract) -> str:
    """The contract as one JSON text."""
    kept = asdict(contract)
    del kept["survey"], kept["refused"]
    return json.dumps({"format": FORMAT, **kept}, ensure_ascii=False, default=asdict)


def from_json(text: str) -> Contract:
    """The inverse of `to_json`. Raises DocumentUnusable (`cache-unusable`) for anything else, an older format too."""
    try:
        data = json.loads(text)
        if data["format"] == FORMAT:
            return convert(data, Contract)
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise DocumentUnusable("cache-unusable")
