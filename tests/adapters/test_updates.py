"""Newer versions: a signed file over a socket, and everything that is not to be believed."""

from __future__ import annotations

import base64
import dataclasses
import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop import __version__
from petstore_desktop.adapters import updates
from petstore_desktop.adapters.updates import COMMENT, MOST_BYTES, Updates, UpdateSource, packaged
from petstore_desktop.preferences import Preferences, PreferenceStore, Remembered
from petstore_desktop.ui.context.ports import NewerVersion
from release import updates as making
from release.signatures import SecretKey, new_keys, read_secret, sign
from tests.support.manual_clock import ManualClock

NOW = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
GOOD: dict[str, Any] = {
    "program": "petstore-desktop",
    "version": "99.0.1",
    "serial": 5,
    "issued": "2026-11-26",
    "expires": "2027-05-01",
    "page": "https://shop.example/new",
    "news": {"en": "Labels print\n faster.", "de": "Etiketten drucken schneller."},
}


class Publisher:
    """A server with files; it keeps the paths and headers that were asked for."""

    def __init__(self, folder: Path) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.head: list[tuple[str, str]] = []
        self.status = 200
        self.folder = folder
        new_keys(folder / "key")
        self.key: SecretKey = read_secret(folder / "key")
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked.append((self.path, dict(self.headers)))
                body = publisher.files.get(self.path)
                self.send_response(404 if body is None else publisher.status)
                for name, value in publisher.head:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, format: str, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def source(self) -> UpdateSource:
        return UpdateSource(
            f"http://127.0.0.1:{self.server.server_port}/updates.json", base64.b64decode(self.key.public.text)
        )

    def publish(self, told: object = None, *, key: SecretKey | None = None, comment: str = COMMENT) -> None:
        place = self.folder / "updates.json"
        place.write_text(told if isinstance(told, str) else json.dumps(GOOD if told is None else told), "utf-8")
        signature = sign(place, key or self.key, comment)
        self.files = {"/updates.json": place.read_bytes(), "/updates.json.minisig": signature.read_bytes()}


@pytest.fixture
def publisher(tmp_path: Path) -> Iterator[Publisher]:
    made = Publisher(tmp_path)
    made.publish()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(wall=NOW.timestamp())


@pytest.fixture
def remembered(tmp_path: Path) -> Remembered:
    made = Remembered(PreferenceStore(tmp_path / "preferences.json"))
    made.update(lambda now: replace(now, unknown={"updates": "on"}))
    return made


@pytest.fixture
def asking(publisher: Publisher, remembered: Remembered, clock: ManualClock) -> Updates:
    return Updates(publisher.source, remembered, clock)


def test_a_newer_version_is_told_of_once_and_kept(asking: Updates, publisher: Publisher, clock: ManualClock) -> None:
    assert asking.newest() is None
    assert asking.look() == NewerVersion("99.0.1", "Labels print faster.", "https://shop.example/new")
    assert [path for path, _ in publisher.asked] == ["/updates.json", "/updates.json.minisig"]
    assert asking.look() is None and len(publisher.asked) == 2, "not within a week"
    clock.advance(timedelta(days=7, minutes=1).total_seconds())
    assert asking.look() is None and len(publisher.asked) == 4, "asked, and told of before"
    assert asking.newest() == NewerVersion("99.0.1", "", "https://shop.example/new")


def test_nothing_of_this_computer_goes_along(asking: Updates, publisher: Publisher) -> None:
    assert asking.look() is not None
    for _, headers in publisher.asked:
        assert headers["User-Agent"] == "petstore-desktop"
        assert set(headers) <= {"Host", "User-Agent", "Accept", "Accept-Encoding", "Cache-Control", "Connection"}


def test_without_a_yes_nothing_is_asked(asking: Updates, publisher: Publisher, remembered: Remembered) -> None:
    for answer in ("", "off", "yes"):
        remembered.update(lambda now, answer=answer: replace(now, unknown={"updates": answer}))
        assert asking.look() is None
    assert publisher.asked == []


@pytest.mark.parametrize("language, words", [("de", "Etiketten drucken schneller."), ("ja", "Labels print faster.")])
def test_what_is_new_is_said_in_the_persons_language(
    asking: Updates, remembered: Remembered, language: str, words: str
) -> None:
    remembered.update(lambda now: replace(now, language=language))
    found = asking.look()
    assert found is not None and found.news == words


def changed(**fields: object) -> dict[str, Any]:
    return GOOD | fields


WRONG: dict[str, object] = {
    "no JSON": "{",
    "a list": "[]",
    "a number too deep": "[" * 2000,
    "another program": changed(program="bird-store"),
    "no version": changed(version="newest"),
    "a version that is no text": changed(version=7),
    "a serial that is no number": changed(serial="5"),
    "a serial past 64 bits": changed(serial=2**63),
    "a serial of zero": changed(serial=0),
    "expired": changed(expires="2026-11-25"),
    "of the future": changed(issued="2026-11-28"),
    "a day there is not": changed(issued="2026-13-01"),
    "a page that is no address": changed(page="javascript:alert(1)"),
    "a page without TLS": changed(page="http://shop.example/new"),
    "news that are a list": changed(news=["new"]),
    "one byte too long": json.dumps(GOOD) + " " * (MOST_BYTES + 1 - len(json.dumps(GOOD))),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_signed_but_wrong_says_nothing(
    asking: Updates, publisher: Publisher, remembered: Remembered, wrong: str
) -> None:
    publisher.publish(WRONG[wrong])
    assert asking.look() is None and len(publisher.asked) in (1, 2)
    assert remembered.now.text("updatesSerial") == remembered.now.text("updatesTold") == ""


def test_a_file_of_the_longest_length_is_read(asking: Updates, publisher: Publisher) -> None:
    publisher.publish(json.dumps(GOOD) + " " * (MOST_BYTES - len(json.dumps(GOOD))))
    assert asking.look() is not None


def damaged(publisher: Publisher) -> None:
    publisher.files["/updates.json"] = publisher.files["/updates.json"].replace(b"99.0.1", b"99.0.2")


def damaged_signature(publisher: Publisher) -> None:
    lines = publisher.files["/updates.json.minisig"].splitlines()
    said = bytearray(base64.b64decode(lines[1]))
    said[40] ^= 1
    lines[1] = base64.b64encode(said)
    publisher.files["/updates.json.minisig"] = b"\n".join(lines)


def unsigned(publisher: Publisher) -> None:
    del publisher.files["/updates.json.minisig"]


def signed_by_another(publisher: Publisher) -> None:
    new_keys(publisher.folder / "other")
    publisher.publish(key=read_secret(publisher.folder / "other"))


def signed_by_another_with_our_number(publisher: Publisher) -> None:
    new_keys(publisher.folder / "other")
    publisher.publish(key=dataclasses.replace(read_secret(publisher.folder / "other"), number=publisher.key.number))


def signed_for_something_else(publisher: Publisher) -> None:
    publisher.publish(comment="Pet Store Desktop 99.0.1")


def comment_exchanged(publisher: Publisher) -> None:
    publisher.publish(comment="Pet Store Desktop 99.0.1")
    place = "/updates.json.minisig"
    publisher.files[place] = publisher.files[place].replace(b"Pet Store Desktop 99.0.1", COMMENT.encode())


def elsewhere(publisher: Publisher) -> None:
    publisher.status, publisher.head = 302, [("Location", "/other.json")]


def gone(publisher: Publisher) -> None:
    publisher.server.shutdown()
    publisher.server.server_close()


def bomb(publisher: Publisher) -> None:
    import gzip

    publisher.head = [("Content-Encoding", "gzip")]
    publisher.files["/updates.json"] = gzip.compress(b" " * 50_000_000)


@pytest.mark.parametrize(
    "spoil",
    [
        *(damaged, damaged_signature, unsigned, signed_by_another, signed_by_another_with_our_number),
        *(signed_for_something_else, comment_exchanged, elsewhere, gone, bomb),
    ],
)
def test_what_is_not_signed_as_it_should_says_nothing_and_is_asked_for_again_the_next_day(
    asking: Updates,
    publisher: Publisher,
    clock: ManualClock,
    remembered: Remembered,
    spoil: Callable[[Publisher], None],
) -> None:
    spoil(publisher)
    before = remembered.now
    assert asking.look() is None and asking.newest() is None
    assert replace(remembered.now, unknown={}) == replace(before, unknown={})
    asked = len(publisher.asked)
    clock.advance(timedelta(hours=23).total_seconds())
    assert asking.look() is None and len(publisher.asked) == asked
    if spoil is not gone:
        publisher.head, publisher.status = [], 200
        publisher.publish()
        clock.advance(timedelta(hours=2).total_seconds())
        assert asking.look() is not None


def test_an_older_file_does_not_come_back(asking: Updates, publisher: Publisher, clock: ManualClock) -> None:
    assert asking.look() is not None
    publisher.publish(changed(serial=4, version="99.0.0"))
    clock.advance(timedelta(days=8).total_seconds())
    assert asking.look() is None
    newest = asking.newest()
    assert newest is not None and newest.version == "99.0.1"


@pytest.mark.parametrize("version", [__version__, "0.0.1"])
def test_this_version_and_older_ones_are_nothing_new(asking: Updates, publisher: Publisher, version: str) -> None:
    publisher.publish(changed(version=version))
    assert asking.look() is None and asking.newest() is None and len(publisher.asked) == 2


@pytest.mark.parametrize("asked", ["2031-01-01T00:00:00+00:00", "last week", "2026-11-20T12:00:00"])
def test_a_clock_that_was_wrong_does_not_silence_it(asking: Updates, remembered: Remembered, asked: str) -> None:
    remembered.update(lambda now: replace(now, unknown={**now.unknown, "updatesAsked": asked}))
    assert asking.look() is not None


def test_what_the_release_makes_is_what_the_program_reads(
    asking: Updates, publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: ManualClock
) -> None:
    owner = tmp_path / "owner.toml"
    owner.write_text(f'homepage = "https://shop.example"\nminisign_public_key = "{publisher.key.public.text}"\n')
    notes = "### Added\n\n- Labels print faster. They did\n  not before.\n- Less memory: half of it.\n"
    said = making.write(tmp_path / "out", tmp_path / "key", "99.1.0", notes, owner)
    assert "99.1.0, Labels print faster. Less memory" in said
    publisher.files = {f"/{path.name}": path.read_bytes() for path in (tmp_path / "out").iterdir()}
    clock.set_wall(datetime.now(UTC).timestamp())
    found = asking.look()
    assert found == NewerVersion("99.1.0", "Labels print faster. Less memory", "https://shop.example")


def test_the_checkout_names_no_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packaged.cache_clear()
    assert packaged() is None
    monkeypatch.setattr(updates.resources, "root", lambda: tmp_path)
    for wrong in (b"", b"[]", b'{"address": "http://shop.example/u.json", "key": ""}', b'{"address": 7}'):
        (tmp_path / "updates.json").write_bytes(wrong)
        packaged.cache_clear()
        assert packaged() is None
    new_keys(tmp_path / "key")
    key = read_secret(tmp_path / "key").public.text
    (tmp_path / "updates.json").write_text(json.dumps({"address": "https://shop.example/u.json", "key": key}))
    packaged.cache_clear()
    assert packaged() == UpdateSource("https://shop.example/u.json", base64.b64decode(key))
    packaged.cache_clear()


def test_preferences_keep_what_was_asked(asking: Updates, remembered: Remembered, tmp_path: Path) -> None:
    assert asking.look() is not None
    assert remembered.flush(10)
    kept: Preferences = PreferenceStore(tmp_path / "preferences.json").load()
    assert (kept.text("updatesSerial"), kept.text("updatesTold")) == ("5", "99.0.1")
