"""A desktop session's secret store of its own: a D-Bus daemon and a real, unlocked gnome-keyring, on no other bus and
in no other home than the test's."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

READY_S = 20.0
NEEDED = ("dbus-daemon", "gnome-keyring-daemon")


def missing() -> list[str]:
    """The programs that a session needs and that are not installed here."""
    return [name for name in NEEDED if shutil.which(name) is None]


@contextmanager
def keyring_session(folder: Path) -> Iterator[dict[str, str]]:
    """Run one below `folder`; yields the environment that leads to it."""
    home, runtime = folder / "home", folder / "runtime"
    for place in (home, runtime):
        place.mkdir(mode=0o700, parents=True)
    own = {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "XDG_DATA_HOME": str(home / ".local" / "share")}
    own |= {"XDG_CONFIG_HOME": str(home / ".config"), "XDG_CACHE_HOME": str(home / ".cache")}
    with _started(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"], own) as bus:
        assert bus.stdout is not None
        own["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        keyring = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        with _started(keyring, own, "a password of the test") as daemon:
            assert daemon.stdout is not None
            daemon.stdout.readline()  # comes when the store is unlocked
            yield own


@contextmanager
def _started(command: list[str], own: dict[str, str], stdin: str = "") -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command,
        env={**os.environ, **own},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(stdin.encode())
    process.stdin.close()
    try:
        yield process
    finally:
        process.terminate()
        process.wait(READY_S)
        process.stdout.close()
