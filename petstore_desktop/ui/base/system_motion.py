"""Asks the system whether programs are to move little. It knows no Qt: this is work for a thread."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final, cast

_WAIT_S: Final = 2.0
_SETTINGS: Final[tuple[tuple[str, str, tuple[object, ...]], ...]] = (
    ("org.freedesktop.appearance", "reduced-motion", (1,)),
    ("org.gnome.desktop.interface", "enable-animations", (False,)),
)
"""Settings of a Linux desktop, and the values that mean that little should move."""


def system_is_still() -> bool:
    """Whether the system asks programs to move little; blocks for some seconds at most."""
    if sys.platform == "win32":
        return _windows_is_still()
    if sys.platform == "darwin":
        return _told_by("defaults", "read", "com.apple.Accessibility", "ReduceMotionEnabled") == "1"
    return _desktop_is_still()


def _windows_is_still() -> bool:
    """SystemParametersInfoW with SPI_GETCLIENTAREAANIMATION."""
    import ctypes

    moves = ctypes.c_int(1)
    user32 = getattr(ctypes, "windll").user32  # noqa: B009  there is none elsewhere
    return bool(user32.SystemParametersInfoW(0x1042, 0, ctypes.byref(moves), 0)) and not moves.value


def _told_by(*command: str) -> str:
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_WAIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def _desktop_is_still() -> bool:
    """Ask the desktop's portal (XDG Desktop Portal, "Settings"), without starting a bus where there is none."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    usual = f"unix:path={runtime}/bus" if runtime and Path(runtime, "bus").exists() else ""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", usual)
    if not address:
        return False
    # Qt's own way to a bus is for the window's thread alone, which must not wait for one.
    import jeepney
    from jeepney.io import blocking

    dbus, blocking_dbus = cast("Any", jeepney), cast("Any", blocking)  # they tell no types
    portal = dbus.DBusAddress(
        "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Desktop", "org.freedesktop.portal.Settings"
    )
    try:
        with blocking_dbus.open_dbus_connection(address, auth_timeout=_WAIT_S) as bus:
            for space, key, still in _SETTINGS:
                question = dbus.new_method_call(portal, "Read", "ss", (space, key))
                answer = bus.send_and_get_reply(question, timeout=_WAIT_S)
                found: object = answer.body[0] if answer.header.message_type is dbus.MessageType.method_return else None
                while isinstance(found, tuple):  # a value and its type; `Read` wraps it twice
                    found = cast("tuple[object, ...]", found)[-1]
                if found in still:
                    return True
    except (OSError, ValueError, LookupError, RuntimeError):
        return False  # no bus, or none that speaks to us
    return False
