"""A day with a keyring: a real window before a real shop, in a session whose keyring is as it pleases.

What holds in each: the window never stands still, what it says is the true cause, a key is in the keyring and nowhere
else, and where it is not there, the window has said so.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.checks.error_texts import KEYRING
from petstore_desktop.domain.errors import KeyringError
from petstore_desktop.preferences import PreferenceStore
from petstore_desktop.session.keys import keyring_name
from tests.program.puppet import HURRY
from tests.program.running import Running, command, run_module, until
from tests.program.test_secrets import search
from tests.support.keyring_daemon import KeyringSession
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT, Shop

NAME = "Zoo"
CLAIMS = ("goes into this computer’s keyring", "its key is in the keyring")
"""What may stand on the screen only where it is so."""
HURRIED = (
    "import os, sys; from petstore_desktop import cli, credentials; "
    f"credentials.BOUND_S = float(os.environ['{HURRY}']); sys.exit(cli.main(sys.argv[1:]))"
)

CODES = ("keyring-absent", "keyring-locked", "keyring-silent", "keyring-lost", "keyring-ended", "keyring-refused")
WHY = {"keyring-locked": "Failed to unlock the collection!"}
"""What the keyring itself says of the cause, where it says anything."""


def some_key() -> str:
    """A key that is found wherever it leaks."""
    return f"canary-{secrets.token_urlsafe(18)}"


def expected(state: str) -> str:
    """The code of what a keyring in this state does; empty where all is well."""
    return "" if state == "unlocked" else f"keyring-{state}"


class KeyringDay:
    """One data directory, one window, one session. `state`: unlocked, locked, absent or silent; `hurry`: see HURRY,
    None for a program as it is. `used` are the keys that the person typed."""

    def __init__(self, folder: Path, shop: Shop, state: str, hurry: float | None = None) -> None:
        self.shop = shop
        self.state = state
        self.home = folder / "person"
        self.data = self.home / "data"
        (self.home / "tmp").mkdir(parents=True)
        self.session = KeyringSession(bus=state != "absent")
        self.readable = state == "unlocked"
        """Whether somebody else can look into the keyring now without asking for a password."""
        self.used = [some_key()]
        shop.control("restore", key=self.used[0])
        self.env: Mapping[str, str] = {**self.session.environment, "TMPDIR": str(self.home / "tmp")}
        if hurry is not None:
            self.env = {**self.env, HURRY: str(hurry)}
        self.program: Running | None = None
        self._be(state, self.used[0])

    def _be(self, state: str, key: str) -> None:
        """Connect, and bring the keyring into its state; the key is in it where it was ever open."""
        kept = state in ("unlocked", "locked")
        if kept:
            self.session.start_keyring()
        done = self.command("connect", NAME, "--url", self.shop.url, *(["--key-stdin"] if kept else []), stdin=key)
        assert (done.returncode, done.stderr) == (0, ""), done
        connection = PreferenceStore(Places(self.data).preferences).load().connection(NAME)
        assert connection is not None
        self.identity = keyring_name(connection)
        if state == "locked":
            self.session.lock()
        elif state == "silent":
            self.session.own_the_name_and_say_nothing()

    # -- what a person does

    def command(self, *arguments: str, stdin: str = "") -> Any:
        """A command on the same data directory, in the same session."""
        given = ("--data-dir", str(self.data), *arguments)
        if HURRY not in self.env:
            return command(*given, stdin=f"{stdin}\n", env=self.env)
        return subprocess.run(
            [sys.executable, "-c", HURRIED, *given],
            cwd=ROOT, env=dict(self.env), input=f"{stdin}\n", capture_output=True, text=True, timeout=PATIENCE_S,
            check=False,
        )  # fmt: skip

    def open(self) -> Running:
        """Start the window, and feel its pulse from then on."""
        self.program = Running(self.data, "--connection", NAME, env=self.env)
        self.program.ask("feel_pulse")
        return self.program

    @property
    def window(self) -> Running:
        """The window, which is open."""
        assert self.program is not None
        return self.program

    def type_key(self, at_enter: Callable[[], object] = lambda: None) -> str:
        """Type another key into the dialog that is open, and press Enter; returns the key."""
        key = some_key()
        self.used.append(key)
        self.shop.control("restore", key=key)
        until(lambda: "keyField" in self.window.ask("focus"), "the field for the key")
        self.window.ask("write", key)
        at_enter()
        self.window.ask("press_soon", "Return")
        until(lambda: "keyDialog" not in self.window.ask("dialogs"), "that the dialog has gone")
        return key

    def change_key(self, at_enter: Callable[[], object] = lambda: None) -> str:
        """Ask for the dialog, and type another key."""
        self.window.ask("choose", "File", "Change key…")
        until(lambda: self.window.ask("dialogs") == ["keyDialog"], "the dialog for a key")
        return self.type_key(at_enter)

    def forget(self) -> str:
        """Have the shop forgotten in the window; the code of what the window says went wrong, or nothing."""
        self.window.ask("choose", "File", "Connection settings…")
        until(lambda: self.window.ask("dialogs") == ["connectionDialog"], "the settings")
        self.window.ask("click", "Forget this shop…")
        self.window.wait("says", "forgetUnsent", "are sent")
        self.window.ask("click_soon", "Forget")
        ends = ("forgottenDialog", "errorDialog")
        until(lambda: any(one in self.window.ask("dialogs") for one in ends), "that it is forgotten, or why not")
        return self.error_said() if "errorDialog" in self.window.ask("dialogs") else ""

    # -- what must hold

    def error_said(self) -> str:
        """The cause that the dialog names that is open."""
        said = " ".join(self.window.ask("everything"))
        return next(code for code in CODES if KEYRING[code][0] in said)

    def told(self, code: str, dialog: str) -> None:
        """Wait until this dialog says this cause, and no other."""
        until(lambda: dialog in self.window.ask("dialogs"), f"{dialog} about {code}")
        said = " ".join(self.window.ask("everything"))
        what, do = KEYRING[code]
        assert what in said, said
        assert do in said
        assert not any(claim in said for claim in CLAIMS), said

    def ended(self, key: str) -> str:
        """Wait until the keeping of a key has come to something: the code of what the window says went wrong, or
        nothing where the keyring has it."""

        def look() -> str | None:
            dialogs = self.window.ask("dialogs")
            if "errorDialog" in dialogs:
                return self.error_said()
            return "kept" if self.readable and self.kept() == key else None

        found = until(look, "that the key is kept, or that it is said that it is not", every_s=0.2)
        return "" if found == "kept" else found

    def kept(self, identity: str = "") -> str | None:
        """What another program finds in the keyring under this name; without one, the shop's key."""
        given, session = ("read", identity or self.identity, "5"), self.session.environment
        done = run_module("tests.support.credentials_child", *given, environment=session)
        return json.loads(done.stdout).get("result")

    def let_error_go(self) -> None:
        """Close the dialog that says what went wrong."""
        self.window.ask("press", "Escape")
        until(lambda: "errorDialog" not in self.window.ask("dialogs"), "that the dialog has gone")

    def waits(self) -> list[int]:
        """For how long (ms) the window waited for something, each time that it was more than a fifth of a second. What
        it computed depends on the machine."""
        pulse = self.window.ask("pulse")
        assert pulse["beats"] > 100, pulse
        return pulse["waits"]

    def close_window(self) -> str:
        """Close it; what it wrote."""
        program = self.window
        if program.ask("windows") == ["mainWindow"]:
            assert program.quit() == 0
        else:
            program.kill()  # the welcome page has no key that ends it
        self.program = None
        return program.said()

    def traces(self, also: Iterable[str] = ()) -> list[str]:
        """Where any of the keys is on the disk, in any form; and in texts."""
        places = [self.home, self.session.folder / "home", self.session.folder / "run"]
        found = [
            trace
            for one in places
            if any(path.is_file() for path in one.rglob("*"))
            for trace in search(one, self.used)
        ]
        return found + [f"said: {text}" for text in also for key in self.used if key in text]

    def close(self) -> None:
        """End everything."""
        if self.program is not None:
            self.program.kill()
        self.session.close()


def live_through(day: KeyringDay) -> None:
    """The key is read, kept, changed and forgotten; what must hold does."""
    code, window = expected(day.state), day.open()
    if code:
        day.told(code, "keyDialog")
        key = day.type_key()
    else:
        window.wait("rows", "pets")
        key = day.change_key()
    assert day.ended(key) == code
    if code:
        day.told(code, "errorDialog")
        day.let_error_go()
    window.wait("rows", "pets")  # a key that is held in memory does its work
    assert day.ended(day.change_key()) == code
    if code:
        day.let_error_go()
    said = window.ask("everything")
    stays = code in ("keyring-locked", "keyring-silent")  # where there is no keyring, there is no key in it either
    assert day.forget() == (code if stays else "")
    waits = day.waits()
    assert waits == [], f"it waited for {waits} ms"
    window.ask("press", "Escape")
    said += [*window.ask("everything"), day.close_window()]
    if stays:
        asked = day.command("forget", NAME, "--yes")
        assert (asked.returncode, asked.stdout) == (1, "")
        told = sentence(KeyringError(code, detail=WHY.get(code), forgetting=True))
        assert asked.stderr == f"petstore-desktop: {told}\n"
    elif not code:
        assert day.kept() is None
    assert day.traces(said) == []
