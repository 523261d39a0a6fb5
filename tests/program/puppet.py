"""The program, started as a person starts it, but with a string on it: what the test asks for is done in its own
window, with key and mouse events.

    python -m tests.program.puppet ADDRESS [ARGUMENTS OF petstore-desktop ...]

ADDRESS is where the test listens (`multiprocessing.connection`). Each message is (name, arguments); the function of
that name in `acts` or `eyes` is called in the GUI thread; what it returns, or the traceback of what it raised, goes
back.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from multiprocessing.connection import Client, Connection
from typing import Any

from petstore_desktop.threads import run_to_end
from tests.support.qt_threads import QtInThreads

AUTH = b"puppet"
TOUCHED = 70
"""The exit code where a thread touched Qt."""
TODAY = "TEST_TODAY_FIRST"
"""In the environment: the program opens Today at the first start of a day, as it does without a test."""
SPOKEN = "TEST_SPOKEN"
"""In the environment: the language of the window; what it says is told to the test in English all the same."""
HURRY = "KEYRING_TEST_HURRY"
"""In the environment: how many seconds the program waits for a keyring, see `be_quick`."""


def in_english(answer: Any) -> Any:
    """What the window says, as a test reads it: back from the language of `SPOKEN`."""
    from petstore_desktop.tour import stage

    if isinstance(answer, str):
        return stage.read_back(answer)
    if isinstance(answer, list | tuple):
        return type(answer)(map(in_english, answer))
    return {key: in_english(value) for key, value in answer.items()} if isinstance(answer, dict) else answer


def speak_in(language: str) -> None:
    """The window speaks another language than the computer's."""
    from petstore_desktop.ui.text import translate
    from tests.support.spoken import Spoken

    own = translate.speak
    Spoken(language).begin()
    translate.speak = lambda application, _: own(application, language)


def pull_strings(program: Any, connection: Connection) -> None:
    """Answer the test from now on."""
    from PySide6.QtCore import QObject, Qt, Signal

    from tests.program import acts, eyes, failures

    class Strings(QObject):
        pulled = Signal(object)

        def act(self, message: tuple[str, tuple[object, ...]]) -> None:
            name, arguments = message
            try:
                act = next(getattr(one, name) for one in (acts, eyes, failures) if hasattr(one, name))
                answer = (True, in_english(act(program, *arguments)))
            except Exception:  # noqa: BLE001 -- the test is told
                answer = (False, traceback.format_exc())
            connection.send(answer)

    strings = Strings(program.application)
    strings.pulled.connect(strings.act, Qt.ConnectionType.QueuedConnection)

    def listen() -> None:
        while True:
            try:
                strings.pulled.emit(connection.recv())
            except (EOFError, OSError, RuntimeError):
                return  # the test is over, or the program is

    threading.Thread(target=listen, name="puppet", daemon=True).start()


def be_quick(bound_s: float) -> None:
    """Wait so many seconds for a keyring, instead of five."""
    from petstore_desktop import credentials

    credentials.BOUND_S = bound_s


IDLE_MS = 300
"""Who does nothing for so long is idle, and may be asked something: ten times as soon as a person (tests/ui/window)."""


def start_on_lists() -> None:
    """The first start of a day shows the tab that was shown last, unless the person chose otherwise."""
    from petstore_desktop.ui.window import window_state

    window_state.TODAY_FIRST_UNTOLD = "off"


def be_idle_soon() -> None:
    """See `IDLE_MS`."""
    from petstore_desktop.ui.window import presence

    presence.IDLE_MS = IDLE_MS


def main(address: str, arguments: list[str]) -> int:
    """Run the program; its exit code."""
    from petstore_desktop import app, cli

    if TODAY not in os.environ:
        start_on_lists()
    be_idle_soon()
    if hurry := os.environ.get(HURRY):
        be_quick(float(hurry))
    if SPOKEN in os.environ:
        speak_in(os.environ[SPOKEN])
    connection, watch = Client(address, authkey=AUTH), QtInThreads()
    threading.setprofile(watch)
    opened = app.Program.open

    def open_with_strings(program: app.Program) -> None:
        opened(program)
        pull_strings(program, connection)

    app.Program.open = open_with_strings
    code = cli.main(arguments)
    sys.stderr.write("".join(f"{found}\n" for found in watch.found))
    return TOUCHED if watch.found else code


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1], sys.argv[2:]))
