"""Scans as keys of a real X server, with the times that it gives them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import screen_reader
from tests.support.screen_reader import Reader, ReaderSession
from tests.support.shop import ROOT
from tests.support.xtest import XServer, can_run

EAN = "4006381333931"
CODES = [EAN, "ABCabc-12"]
GAPS = (1, 5, 15, 25)
"""Milliseconds between two keys."""
TRIES = 5


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
    _scan(server, {"DISPLAY": server.name, "QT_QPA_PLATFORM": "xcb"}, place)


@pytest.mark.parametrize("place", ["field", "list"])
def test_scans_are_the_same_with_a_screen_reader(reader: ReaderSession, place: str) -> None:
    _scan(reader.screen, reader.program, place)


def _scan(server: XServer, environment: dict[str, str], place: str) -> None:
    """Type codes, then what a person types. Where a busy machine held the server's own keys back, so that what it typed
    was no scan, it types them to another program."""
    wanted = [code for _ in GAPS for code in CODES]
    for _ in range(TRIES):
        found = _typed(server, environment, place)
        if found["long_gaps"] == len(wanted) + len((EAN, "o", "k")):
            break
    assert found["scans"] == [*wanted, EAN]
    if place == "field":
        assert (found["text"], found["undo"]) == ("kokt", True), "what a person typed is in the field"
    else:
        assert (found["text"], found["undo"]) == ("kept", False)
    assert found["asks"] is (place == "question")


def _typed(server: XServer, environment: dict[str, str], place: str) -> dict[str, Any]:
    """What came of it in a program of its own."""
    where = {**os.environ, **environment}
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tests.ui.scanning.x_child", place]
    with subprocess.Popen(command, cwd=ROOT, env=where, stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdin is not None and child.stdout is not None
        assert child.stdout.readline().strip() == "ready"
        for gap in GAPS:
            for code in CODES:
                server.type(code + "\n", gap)
                server.rest(0.08 + len(code) * gap / 1000)
        server.type(EAN, 5)
        server.rest(0.3)
        server.type("ok", 60)
        server.rest(0.3)
        child.stdin.write("\n")
        child.stdin.flush()
        found: dict[str, Any] = json.loads(child.stdout.readline())
    return found
