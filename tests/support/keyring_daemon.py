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
import tempfile
import time
from pathlib import Path
from typing import Self

import pytest
from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

NAME = "org.freedesktop.secrets"
DEADLINE_S = 10.0
PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")


class KeyringSession:
    """`environment` is what a program needs to be in this session; without `bus` it is in none."""

    def __init__(self, *, bus: bool = True) -> None:
        for program in PROGRAMS:
            if shutil.which(program) is None:
                pytest.skip(f"{program} is not installed")
        # Not below tmp_path: a socket's path may be at most about 100 bytes (unix(7)).
        self.folder = Path(tempfile.mkdtemp(prefix="keyring-"))
        self._processes: list[subprocess.Popen[bytes]] = []
        self._silent: DBusConnection | None = None
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
        self._wait_until(lambda: (self.folder / "bus").exists(), "the bus is there")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def start_keyring(self, *, unlocked: bool = True) -> None:
        """Run gnome-keyring; `unlocked` with a password, else its keyrings are as locked as an earlier run left
        them."""
        options = ["--unlock"] if unlocked else []
        daemon = self._start("gnome-keyring-daemon", "--foreground", "--components=secrets", *options)
        assert daemon.stdin is not None
        daemon.stdin.write(b"password of the test")
        daemon.stdin.close()
        self._wait_until(self._has_owner, "the keyring is there")

    def stop_keyring(self) -> None:
        """End it; its files stay."""
        self._end(self._processes.pop())
        self._wait_until(lambda: not self._has_owner(), "the keyring is gone")

    def own_the_name_and_say_nothing(self) -> None:
        """A Secret Service that never answers."""
        self._silent = open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        reply = self._silent.send_and_get_reply(message_bus.RequestName(NAME))
        assert reply.body == (1,), reply

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
        end = time.monotonic() + DEADLINE_S
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
        if self._silent is not None:
            self._silent.close()
        for process in reversed(self._processes):
            self._end(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
