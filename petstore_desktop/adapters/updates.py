"""Tells of a newer version: once a week, if the person wants it, where whoever packaged the program named an address.

What is read there is one small file and its signature (minisign: Ed25519 over BLAKE2b, with a signed comment). Nothing
of this computer, of shops or keys goes along. What is damaged, signed by others or for something else, expired, of the
future, or older than what was seen before says nothing and changes nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop import __version__, resources
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.context.ports import NewerVersion

if TYPE_CHECKING:
    from petstore_desktop.clock import Clock
    from petstore_desktop.preferences import Remembered

COMMENT: Final = "petstore-desktop updates"
"""What the signed comment says: another file with a good signature is no file of updates."""
MOST_BYTES: Final = 16 * 1024
WEEK, AGAIN = timedelta(days=7), timedelta(days=1)
"""How long after one that was read, and after one that could not be, the file is asked for again."""
DEADLINE_S: Final = 20.0
_NEWS: Final = 500
"""Characters of what is new."""
_VERSION: Final = re.compile(r"\d{1,5}(?:\.\d{1,5}){1,3}")
_log = logging.getLogger(__name__)


class UpdateSource(Struct, frozen=True):
    """Where the packager's file of updates is, and what its signatures are checked with."""

    address: str
    key: bytes
    """minisign's: two letters, eight bytes of a number, and the key."""


class Told(Struct, frozen=True):
    """What such a file says; `serial` grows with each."""

    serial: int
    newest: NewerVersion


@cache
def packaged() -> UpdateSource | None:
    """What the packager put into `updates.json` beside the program's other files; None where there is none."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        told = json.loads((resources.root() / "updates.json").read_bytes())
        return UpdateSource(_address(told["address"]), _bytes(told["key"], 42))
    return None


def read(content: bytes, signature: bytes, key: bytes, now: datetime, language: str = "en") -> Told:
    """Read a file of updates. Raises ValueError for one that is not to be believed."""
    _verify(content, signature, key)
    told = cast("dict[str, Any]", json.loads(content))
    if told["program"] != "petstore-desktop":
        raise ValueError("of another program")
    serial, version, page, news = told["serial"], told["version"], _address(told["page"]), told.get("news", {})
    issued, expires = date.fromisoformat(told["issued"]), date.fromisoformat(told["expires"])
    if issued > (now + AGAIN).date() or expires < now.date():
        raise ValueError("expired, or of the future")
    if not isinstance(serial, int) or not 0 < serial < 2**63 or not _VERSION.fullmatch(version):
        raise ValueError("no serial or version")
    words = (news.get(language) or news.get(language.partition("_")[0]) or news.get("en", "")) if news else ""
    return Told(serial, NewerVersion(version, " ".join(str(words).split())[:_NEWS], page))


def _verify(content: bytes, signature: bytes, key: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    lines = signature.decode("utf-8").splitlines()
    if len(lines) != 4 or lines[2] != f"trusted comment: {COMMENT}":
        raise ValueError("no signature of a file of updates")
    said, bound = _bytes(lines[1], 74), _bytes(lines[3], 64)
    if said[:2] != b"ED" or said[2:10] != key[2:10]:
        raise ValueError("signed with another key")
    try:
        public = Ed25519PublicKey.from_public_bytes(key[10:])
        public.verify(said[10:], hashlib.blake2b(content).digest())
        public.verify(bound, said[10:] + COMMENT.encode())
    except InvalidSignature:
        raise ValueError("the signature does not fit") from None


def _bytes(text: str, length: int) -> bytes:
    found = base64.b64decode(text, validate=True)
    if len(found) != length:
        raise ValueError("not so long")
    return found


def _address(text: object) -> str:
    from petstore_desktop.api.address import clean_base_url

    if not isinstance(text, str):
        raise TypeError
    try:
        return clean_base_url(text)
    except ShopError as error:
        raise ValueError(error.code) from None


class Updates:
    """UpdatesPort."""

    def __init__(self, source: UpdateSource, remembered: Remembered, clock: Clock) -> None:
        self._source, self._remembered, self._clock = source, remembered, clock

    def look(self) -> NewerVersion | None:
        """Ask, if it is time to and the person wants it; a newer version of which nothing was told yet. Waits for the
        network: not for the GUI thread."""
        now, kept = datetime.fromtimestamp(self._clock.now().wall, UTC), self._remembered.now
        if kept.text("updates") != "on" or not _is_due(kept.text("updatesAsked"), now):
            return None
        self._keep(updatesAsked=(now - WEEK + AGAIN).isoformat())
        try:
            told = read(*self._fetch(), self._source.key, now, kept.language or "en")
            if told.serial < int(kept.text("updatesSerial") or 0):
                raise ValueError("older than one that was read before")
        except (ShopError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            _log.info("nothing is known of newer versions: %s", error)
            return None
        newest = told.newest
        self._keep(updatesAsked=now.isoformat(), updatesSerial=str(told.serial))
        if not _is_newer(newest.version) or kept.text("updatesTold") == newest.version:
            return None
        self._keep(updatesTold=newest.version, updatesPage=newest.page)
        return newest

    def newest(self) -> NewerVersion | None:
        """The newer version that was told of last, without what is new in it."""
        kept = self._remembered.now
        version = kept.text("updatesTold")
        return NewerVersion(version, "", kept.text("updatesPage")) if version and _is_newer(version) else None

    def _keep(self, **told: str) -> None:
        self._remembered.update(lambda now: replace(now, unknown={**now.unknown, **told}))

    def _fetch(self) -> tuple[bytes, bytes]:
        from petstore_desktop.api.http.transport import Exchange, Request, Transport
        from petstore_desktop.off_loop import run_loop

        async def both() -> tuple[bytes, bytes]:
            wire = Transport(self._source.address, "petstore-desktop", deadline_s=DEADLINE_S)
            try:
                found = list[bytes]()
                for end in ("", ".minisig"):
                    request = Request("GET", f"{self._source.address}{end}", cap=MOST_BYTES)
                    answer = await wire.send(request, Exchange())
                    if answer.failure is not None or answer.status != 200:
                        raise answer.failure or ValueError(f"answered {answer.status}")
                    found.append(answer.body)
            finally:
                await wire.aclose()
            return found[0], found[1]

        return run_loop(both)


def _is_due(asked: str, now: datetime) -> bool:
    """A time to come, of a clock that was wrong, is no reason to wait."""
    try:
        last = datetime.fromisoformat(asked)
        return not timedelta() <= now - last < WEEK
    except (ValueError, TypeError):
        return True


def _is_newer(version: str) -> bool:
    return _parts(version) > _parts(__version__)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:4])
