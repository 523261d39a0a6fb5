"""A D-Bus session of its own with a real gnome-keyring in it, or with something worse.

    with KeyringSession() as session:
        session.start_keyring()
        subprocess.run([...], env=session.environment)

HOME and XDG_RUNTIME_DIR are fresh folders that only the owner may enter, so that nothing of whoever runs the tests is
read or written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import pytest

from tests.support.patience import PATIENCE_S

if sys.platform == "linux":  # elsewhere there is no D-Bus
    from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import DBusConnection, open_dbus_connection

NAME = "org.freedesktop.secrets"
PROMPTER = "org.gnome.keyring.SystemPrompter"
BEGIN = "BeginPrompting"
PASSWORD = b"password of the test"
PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")


def _listens(address: str) -> bool:
    """Whether a bus answers there: its socket is a file before anybody listens."""
    try:
        open_dbus_connection(address).close()
    except OSError:
        return False
    return True


class KeyringSession:
    """`environment` is what a program needs to be in this session; without `bus` it is in none."""

    def __init__(self, *, bus: bool = True) -> None:
        if sys.platform != "linux":
            pytest.xfail("linux: a keyring of its own can be started")
        for program in PROGRAMS:
            assert shutil.which(program) is not None, f"{program} is missing; python3 packaging/dev.py setup brings it"
        # Not below tmp_path: a socket's path may be at most about 100 bytes (unix(7)).
        self.folder = Path(tempfile.mkdtemp(prefix="keyring-"))
        self._processes: list[subprocess.Popen[bytes]] = []
        self._silent: DBusConnection | None = None
        self._prompter: DBusConnection | None = None
        home, runtime = self.folder / "home", self.folder / "run"
        for place in (home, runtime):
            place.mkdir(mode=0o700)
        dropped = (
            "DBUS_SESSION_BUS_ADDRESS",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "PETSTORE_API_KEY",
            "GNOME_KEYRING_CONTROL",
        )
        self.environment = {name: value for name, value in os.environ.items() if name not in dropped}
        self.environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}
        self.environment |= dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(home / "xdg"))
        if bus:
            self._start_bus()

    def _start_bus(self) -> None:
        address = f"unix:path={self.folder / 'bus'}"
        self._start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}")
        self._wait_until(lambda: _listens(address), "the bus is there")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def start_keyring(self, *, unlocked: bool = True) -> None:
        """Run gnome-keyring; `unlocked` with a password, else its keyrings are as locked as an earlier run left
        them."""
        options = ["--unlock"] if unlocked else []
        daemon = self._start("gnome-keyring-daemon", "--foreground", "--components=secrets", *options)
        assert daemon.stdin is not None
        daemon.stdin.write(PASSWORD)
        daemon.stdin.close()
        self._wait_until(self._has_owner, "the keyring is there")

    def stop_keyring(self) -> None:
        """End it; its files stay."""
        self._end(self._processes.pop())
        self._wait_until(lambda: not self._has_owner(), "the keyring is gone")

    def kill_keyring(self) -> None:
        """End it as a crash would. Whoever asks for it next has it started anew, locked, as desktops have it."""
        process = self._processes.pop()
        process.kill()
        process.wait()

    def lock(self) -> None:
        """What desktops do when a person logs out and in again without a password."""
        self.stop_keyring()
        self.start_keyring(unlocked=False)

    def hold_prompts(self) -> None:
        """From now on a locked keyring asks for its password in a window that nobody answers."""
        self._prompter = open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        reply = self._prompter.send_and_get_reply(message_bus.RequestName(PROMPTER))
        assert reply.body == (1,), reply

    def wait_for_prompt(self) -> None:
        """Until the keyring has asked for its password."""
        assert self._prompter is not None
        end = time.monotonic() + PATIENCE_S
        while (
            self._prompter.receive(timeout=max(0.0, end - time.monotonic())).header.fields.get(HeaderFields.member)
            != BEGIN
        ):
            pass

    def dismiss_prompts(self) -> None:
        """Close those windows."""
        assert self._prompter is not None
        self._prompter.close()
        self._prompter = None

    def unlock(self) -> None:
        """Give the password, as that window would."""
        with open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"]) as connection:

            def ask(interface: str, method: str, signature: str, *values: object) -> tuple[Any, ...]:
                service = DBusAddress("/org/freedesktop/secrets", NAME, interface)
                reply = connection.send_and_get_reply(new_method_call(service, method, signature, values))
                assert reply.header.message_type is MessageType.method_return, reply.body
                return reply.body

            service = "org.freedesktop.Secret.Service"
            session = ask(service, "OpenSession", "sv", "plain", ("s", ""))[1]
            collection = ask(service, "ReadAlias", "s", "default")[0]
            secret = (session, b"", PASSWORD, "text/plain")
            ask("org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword", "o(oayays)",
                collection, secret)  # fmt: skip

    def own_the_name_and_say_nothing(self) -> None:
        """A Secret Service that never answers."""
        self._silent = open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        reply = self._silent.send_and_get_reply(message_bus.RequestName(NAME))
        assert reply.body == (1,), reply

    def end_when_asked(self) -> None:
        """That one ends without an answer as soon as something is asked of it."""
        assert self._silent is not None
        end = time.monotonic() + PATIENCE_S
        message_type = None
        while message_type is not MessageType.method_call:
            message_type = self._silent.receive(timeout=max(0.0, end - time.monotonic())).header.message_type
        self._silent.close()
        self._silent = None

    def _has_owner(self) -> bool:
        with open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"]) as connection:
            reply = connection.send_and_get_reply(message_bus.NameHasOwner(NAME))
        if reply.body != (True,) or self._silent is not None:
            return reply.body == (True,)
        # The name comes before the collections do.
        with open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"]) as connection:
            service = DBusAddress("/org/freedesktop/secrets", NAME, "org.freedesktop.Secret.Service")
            read = connection.send_and_get_reply(new_method_call(service, "ReadAlias", "s", ("default",)))
        return read.header.message_type is MessageType.method_return

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "said").open("ab") as said:
            process = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.PIPE, stdout=said, stderr=said, cwd=self.folder
            )
        self._processes.append(process)
        return process

    def _wait_until(self, condition: object, what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        assert callable(condition)
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain until {what}: {(self.folder / 'said').read_text()}")

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            process.stdin.close()
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def close(self) -> None:
        for connection in (self._silent, self._prompter):
            if connection is not None:
                connection.close()
        for process in reversed(self._processes):
            self._end(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
