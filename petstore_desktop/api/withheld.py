"""Records and headers in which a service repeats a key. The records are set aside: kept, the key would be in a file;
kept with the key masked, the mask would one day be sent back as data. So would that of a validator, which is left out;
in other headers the key is masked.

In records a key is looked for as it is, and as JSON writes it. Other ways to write it are masked where a text is shown
or logged (see `masking`): to undo them in each answer would cost a second for each million letters.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

import httpx
from msgspec import Struct

from petstore_desktop import log
from petstore_desktop.api.record_ids import own_id
from petstore_desktop.domain.records import Resource


class Withheld(Struct, frozen=True):
    """Stands for a record that holds a key. `id` is its own, where that is a number; `content` tells it from others in
    this run."""

    id: int | None
    content: int = 0


def without_secrets(resource: Resource, values: Sequence[object], text: str | None = None) -> Sequence[object]:
    """The records, with Withheld for each that holds a key. `text`: what they were read from, if it is at hand."""
    held = _holds_secret(values) if text is None else log.repeats_secret(_unescaped(text))
    return [_withheld(resource, one) if _holds_secret(one) else one for one in values] if held else values


def _withheld(resource: Resource, one: object) -> Withheld:
    return Withheld(_number_of(resource, one), hash(json.dumps(one, sort_keys=True, default=repr)))


def _unescaped(text: str) -> str:
    """A text of JSON with the letters that its escapes stand for. It is Python's own decoder that undoes them: a letter
    at a time, a text of a million Cyrillic ones held everything up for two seconds."""
    if "\\" not in text:
        return text
    if "\\/" in text:  # the one escape of JSON that Python has not; no JSON holds a NUL
        text = text.replace("\\\\", "\0").replace("\\/", "/").replace("\0", "\\\\")
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape", "replace")


def telling(headers: httpx.Headers) -> httpx.Headers:
    """The headers of an answer without a key, as they may be kept; a validator that repeats one is left out. What leads
    elsewhere is asked, and moments are reckoned with: these stay, and are masked where they are shown."""
    if not log.holds_secret(b"\n".join([value for _, value in headers.raw]).decode("latin-1")):
        return headers
    kept = list[tuple[bytes, bytes]]()
    for name, value in headers.raw:
        text = value.decode("latin-1")
        if name.lower() in _AS_THEY_CAME or not log.holds_secret(text):
            kept.append((name, value))
        elif name.lower() != b"etag":
            kept.append((name, log.without_secrets(text).encode("latin-1")))
    return httpx.Headers(kept)


_AS_THEY_CAME = (b"location", b"link", b"date", b"retry-after")


def _holds_secret(value: object) -> bool:
    try:
        return log.repeats_secret(_unescaped(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return False  # what cannot be written as JSON is not kept either


def _number_of(resource: Resource, value: object) -> int | None:
    said = cast("dict[str, object]", value).get(own_id(resource)) if isinstance(value, dict) else None
    return said if isinstance(said, int) and not isinstance(said, bool) and not log.repeats_secret(str(said)) else None
