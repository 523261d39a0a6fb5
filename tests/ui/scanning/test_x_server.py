"""Scans as keys of a real X server, with the times that it gives them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Self

import pytest

from tests.support import screen_reader
from tests.support.screen_reader import Reader, ReaderSession
from tests.support.shop import ROOT
from tests.support.xtest import XServer, can_run

EAN = "4006381333931"
CODES = [EAN, "ABCabc-12"]
GAPS = (1, 25)
"""Milliseconds between two keys; others with the times of made events: test_scanning.py."""
TRIES = 50


@pytest.fixture(scope="module")
def server() -> Iterator[XServer]:
    if not can_run():
        pytest.skip("no Xvfb, or no library of XTest")
    with XServer() as running:
        yield running


@pytest.fixture(scope="module")
def reader() -> Iterator[ReaderSession]:
    """A server with a screen reader, which is asked about each key before the program gets it."""
    if not screen_reader.can_run():
        pytest.skip("no Xvfb, no openbox, or no AT-SPI")
    with ReaderSession() as session, Reader(session):
        yield session


@pytest.mark.parametrize("place", ["field", "list", "combo", "question"])
def test_scans_at_all_speeds_count_once_and_touch_nothing(server: XServer, place: str) -> None:
    _scan(server, {"DISPLAY": server.name, "QT_QPA_PLATFORM": "xcb"}, place, CODES, GAPS)


def test_scans_are_the_same_with_a_screen_reader(reader: ReaderSession) -> None:
    _scan(reader.screen, reader.program, "field", CODES[:1], GAPS[:1])


def _scan(server: XServer, environment: dict[str, str], place: str, codes: Sequence[str], gaps: Sequence[int]) -> None:
    """Type codes, then what a person types, into a program of its own."""
    asks = place == "question"
    untouched = {"text": "kept", "undo": False, "row": 0, "choice": 0, "asks": asks}
    with Program({**os.environ, **environment}, place) as program:
        for gap in gaps:
            for code in codes:
                wanted = {"scans": [code], **untouched}
                assert program.typed(server, code + "\n", gap, wanted) == wanted, gap
        wanted = {"scans": [EAN], **untouched}
        assert program.typed(server, EAN, 5, wanted) == wanted
        wanted = {"scans": [], **untouched}
        if place == "field":
            wanted |= {"text": "kokt", "undo": True}
        found = program.typed(server, "ok", 60, wanted)
        assert {name: found[name] for name in ("scans", "text", "undo", "asks")} == {
            name: wanted[name] for name in ("scans", "text", "undo", "asks")
        }, "what a person typed is in the field"


class Program:
    """The program of x_child, which is asked over its stdin."""

    def __init__(self, environment: dict[str, str], place: str) -> None:
        command = [sys.executable, "-m", "tests.ui.scanning.x_child", place]
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.close()
        self._child.wait()
        self._child.stdout.close()

    def _ask(self, line: str) -> str:
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.write(f"{line}\n")
        self._child.stdin.flush()
        return self._child.stdout.readline().strip()

    def typed(self, server: XServer, text: str, gap: int, wanted: dict[str, Any]) -> dict[str, Any]:
        """What came of keys with so many ms between them, when all is as if nothing had come before. A busy machine
        holds the server's own keys back, so that what it typed was no scan: it types them anew, until it is done."""
        for _ in range(TRIES):
            assert self._ask("begin") == "ready"
            server.type(text, gap)
            found: dict[str, Any] = json.loads(self._ask(str(len(text))))
            server.rest(0.08)
            if found == wanted:
                break
        return found
