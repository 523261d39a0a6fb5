"""Records and headers in which a service repeats a key. The records are set aside: kept, the key would be in a file;
kept with the key masked, the mask would one day be sent back as data. The headers are left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import httpx

from petstore_desktop import log
from petstore_desktop.api.record_ids import own_id
from petstore_desktop.domain.records import Resource


@dataclass(frozen=True, slots=True)
class Withheld:
    """Stands for a record that holds a key. `id` is its own, where that is a number."""

    id: int | None


def without_secrets(resource: Resource, values: Sequence[object], text: str | None = None) -> Sequence[object]:
    """The records, with Withheld for each that holds a key. `text`: what they were read from, if it is at hand."""
    held = _holds_secret(values) if text is None else log.holds_secret(text)
    return [Withheld(_number_of(resource, one)) if _holds_secret(one) else one for one in values] if held else values


def telling(headers: httpx.Headers) -> httpx.Headers:
    """The headers of an answer without any that repeats a key, a validator perhaps, which would be kept. What leads
    elsewhere stays: it is asked, and masked where it is shown."""
    kept = [one for one in headers.raw if one[0].lower() in _LEADS or not log.holds_secret(one[1].decode("latin-1"))]
    return headers if len(kept) == len(headers.raw) else httpx.Headers(kept)


_LEADS = (b"location", b"link")


def _holds_secret(value: object) -> bool:
    try:
        return log.holds_secret(json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        return False  # what cannot be written as JSON is not kept either


def _number_of(resource: Resource, value: object) -> int | None:
    said = cast("dict[str, object]", value).get(own_id(resource)) if isinstance(value, dict) else None
    return said if isinstance(said, int) and not isinstance(said, bool) and not log.holds_secret(str(said)) else None
