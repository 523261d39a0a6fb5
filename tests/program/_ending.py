"""A small program that ends while threads are at work: `python -m tests.program._ending WHAT`.

WHAT is what the threads do: they are `busy` (one decodes rows without end, one posts to the window without end, one
does short work again and again), or one looks up a name at a server that is `silent`, or `writes FILE` a moment later.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from petstore_desktop import threads
from petstore_desktop.api.wire import decode_many, parse_json
from petstore_desktop.domain.records import Resource
from petstore_desktop.off_loop import run_loop
from petstore_desktop.shop.background import Background
from petstore_desktop.threads import run_to_end

CODE = 3
_ROWS = json.dumps([{"id": n, "name": "x" * 20, "status": "available"} for n in range(5000)]).encode()


def read(_: object = None) -> None:
    """Some work in Rust."""
    decode_many(Resource.PETS, parse_json(_ROWS))


def decode() -> None:
    """The same without end."""
    while True:
        read()


def write() -> None:
    """Write the file, a moment later."""
    time.sleep(0.2)
    Path(sys.argv[2]).write_text("whole", encoding="utf-8")


def main(what: str) -> int:
    """Run for a moment."""
    if what == "writes":
        setattr(threads, "END_S", 600.0)  # noqa: B010 -- however slow the machine is
        threads.begin(write, "writer")
        return CODE
    application = QApplication([])
    background = Background(application)
    sys.setswitchinterval(0.0005)

    def post() -> None:
        while True:
            background.call(lambda: None)

    def again(_: object) -> None:
        background.run(read, again)

    def look_up() -> None:
        socket.getaddrinfo = lambda *_, **__: time.sleep(600)  # a server of names that says nothing

        async def connect() -> None:
            import asyncio

            async with asyncio.timeout(0.1):
                await asyncio.open_connection("silent.example", 80)

        run_loop(connect)

    if what == "silent":
        background.attempt(look_up, lambda _: application.quit())
    else:
        for work in (decode, post, read):
            background.run(work, again)
        QTimer.singleShot(100, application.quit)
    application.exec()
    return CODE


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    run_to_end(lambda: main(sys.argv[1]))
