"""A desktop with a screen reader, without sound: an X server, a session bus with AT-SPI, and a listener that writes
down what a reader would say.

    with ReaderSession() as session, Reader(session) as reader, Running(data, env=session.program) as program:
        session.screen.press("Ctrl+K")
        reader.heard()   # ["dialog Search", "text Search, pets, orders and commands"]

The listener is a client of the accessibility bus in a process other than the program's, as Orca is. It follows Orca's
and NVDA's order: the window or dialog that the focus has come into, then the object itself: for a cell its value, its
column and its row; for others name, role, value, states and description. Where the focus moves on at once, the first
speech is interrupted, so only its last place is heard; announcements are all heard, each with its urgency.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from tests.support import xtest
from tests.support.keyring_daemon import KeyringSession
from tests.support.patience import PATIENCE_S

if sys.platform == "linux":  # elsewhere there is no D-Bus
    from jeepney import DBusAddress, HeaderFields, MatchRule, MessageType, new_method_call
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import DBusConnection, open_dbus_connection

LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
_ATSPI = "org.a11y.atspi"
_FOCUSED, _CHECKED, _CHECKABLE, _SELECTED, _EXPANDABLE, _EXPANDED = 12, 4, 41, 23, 9, 10
_LABELLED_BY = 2
_WINDOWS = {"dialog", "frame", "alert", "window"}
_CELLS = {"cell", "table cell", "list item", "tree item"}
_URGENCY = {1: "polite", 2: "assertive"}
_CHANGES = {"accessible-value": "value", "accessible-description": "description", "accessible-name": "name"}
"""Of the object with the focus a change of these is read out, as Orca does."""
_HEARD = (
    "object:state-changed:focused",
    "object:active-descendant-changed",
    "object:announcement",
    *(f"object:property-change:{name}" for name in _CHANGES),
)
QUIET_S, LONG_S = 0.6, 2.5
"""What comes later than that after a key, and after everything else, is another utterance; where the program takes its
time, as it does with messages that follow each other."""
Place = tuple[str, str]
"""Bus name and path of an object."""


def launcher() -> str:
    """The program that starts the accessibility bus; empty where there is none."""
    return next((path for path in LAUNCHERS if Path(path).is_file()), "")


def can_run() -> bool:
    """Whether this machine has what it takes."""
    return xtest.can_run() and bool(launcher()) and shutil.which("openbox") is not None


class ReaderSession(KeyringSession):
    """`program` is what a program must be started with to be heard and to be seen on `screen`."""

    def __init__(self) -> None:
        super().__init__()
        self.screen = xtest.XServer()
        self.environment["DISPLAY"] = self.screen.name
        self._start("openbox", "--sm-disable")
        self._start(launcher(), "--launch-immediately")
        self._wait_until(self._found_bus, "the accessibility bus is there")
        shared = ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "HOME", "XDG_RUNTIME_DIR")
        self.program = {name: self.environment[name] for name in shared}
        self.program |= {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}

    def _found_bus(self) -> bool:
        with open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"]) as connection:
            bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            reply = connection.send_and_get_reply(new_method_call(bus, "GetAddress"))
        self.accessibility_bus = str(reply.body[0])
        return reply.header.message_type is MessageType.method_return

    def close(self) -> None:
        super().close()
        self.screen.__exit__()


class Reader:
    """Listens on the accessibility bus of a session."""

    def __init__(self, session: ReaderSession) -> None:
        self._events = open_dbus_connection(session.accessibility_bus)
        self._asks = open_dbus_connection(session.accessibility_bus)
        self._lines: list[tuple[str, Any]] = []
        self._window = ""
        self._focus: Place = ("", "")
        self._latest: Place = ("", "")
        self._came = time.monotonic()
        registry = DBusAddress("/org/a11y/atspi/registry", f"{_ATSPI}.Registry", f"{_ATSPI}.Registry")
        for name in _HEARD:
            self._asks.send_and_get_reply(new_method_call(registry, "RegisterEvent", "s", (name,)))
        rule = MatchRule(type="signal", interface=f"{_ATSPI}.Event.Object")
        self._events.send_and_get_reply(message_bus.AddMatch(rule))
        self._thread = threading.Thread(target=self._listen, name="screen reader", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                message = self._events.receive()
            except (OSError, EOFError, ValueError):
                return
            fields = message.header.fields
            if message.header.message_type is MessageType.signal:
                place = (str(fields[HeaderFields.sender]), str(fields[HeaderFields.path]))
                self._take(str(fields[HeaderFields.member]), place, message.body)

    def _take(self, member: str, place: Place, body: tuple[Any, ...]) -> None:
        if member == "StateChanged" and body[0] == "focused" and body[1]:
            self._add("focus", place)
        elif member == "ActiveDescendantChanged":
            self._add("focus", body[3][1])
        elif member == "Announcement":
            self._add("said", f"({_URGENCY[body[1]]}) {body[3][1]}")
        elif member == "PropertyChange" and body[0] in _CHANGES and place == self._latest:
            self._add("changed", (place, body[0]))

    def _add(self, kind: str, what: Any) -> None:
        if kind == "focus":
            self._latest = what
        self._came = time.monotonic()
        self._lines.append((kind, what))

    def heard(self, quiet_s: float = QUIET_S) -> list[str]:
        """What was heard since the last call, once nothing has come for so long."""
        begun = time.monotonic()
        end = begun + PATIENCE_S
        while time.monotonic() - max(begun, self._came) < quiet_s and time.monotonic() < end:
            time.sleep(0.02)
        lines, self._lines = self._lines, []
        last = max((n for n, (kind, _) in enumerate(lines) if kind == "focus"), default=-1)
        found: list[str] = []
        for n, (kind, what) in enumerate(lines):
            if kind == "said":
                found.append(what)
            elif n == last:
                found += self._described(what)
            elif (
                kind == "changed"
                and n > last
                and what[0] == self._focus
                and what not in (one for _, one in lines[n + 1 :])
            ):
                found.append(f"({_CHANGES[what[1]]}) {self._changed(*what)}")
        return found

    def _changed(self, place: Place, what: str) -> str:
        return self._text(place, "Description" if what == "accessible-description" else "Name").replace("\n", " / ")

    def _described(self, place: Place) -> Iterator[str]:
        """An object as it is read out when the focus comes to it."""
        self._focus = place
        role, name = self._role(place), self._text(place, "Name")
        window = self._window_of(place)
        if window and window != self._window:
            yield window
        self._window = window
        states = set(self._states(place))
        parts = [*self._labels(place), name]
        if role in _CELLS:
            parts += self._cell(place)
        else:
            parts += [role, self._value(place, role)]
        if _CHECKABLE in states or role in ("check box", "radio button"):
            parts.append("checked" if _CHECKED in states else "not checked")
        if _EXPANDABLE in states:
            parts.append("expanded" if _EXPANDED in states else "collapsed")
        description = self._text(place, "Description")
        yield " | ".join(filter(None, [*parts, description.replace("\n", " / ") if description != name else ""]))

    def _labels(self, place: Place) -> list[str]:
        """The names of the labels beside it: a choice is called by them, because its own name is what is chosen."""
        found = self._ask(place, "Accessible", "GetRelationSet")[0]
        names = [self._text(tuple(one), "Name") for kind, ones in found if kind == _LABELLED_BY for one in ones]
        return [name for name in names if name != self._text(place, "Name")]

    def _cell(self, place: Place) -> list[str]:
        """Column and row of a cell; Qt offers no such interface for the entries of a list."""
        try:
            column = self._ask(place, "TableCell", "GetColumnHeaderCells")[0]
            row = self._property(place, "TableCell", "Position")[0]
        except (LookupError, TypeError):
            return [f"{self._ask(place, 'Accessible', 'GetIndexInParent')[0] + 1}"]
        return [*(self._text(tuple(one), "Name") for one in column), f"row {row + 1}"]

    def _value(self, place: Place, role: str) -> str:
        if "Text" not in self._interfaces(place) or role == "label":
            return ""
        return str(self._ask(place, "Text", "GetText", "ii", 0, -1)[0]) or "blank"

    def _window_of(self, place: Place) -> str:
        """The name of the window or dialog that an object is in."""
        at: Place = place
        for _ in range(40):
            role = self._role(at)
            if role in _WINDOWS:
                return " | ".join(filter(None, (f"{role} {self._text(at, 'Name')}", self._text(at, "Description"))))
            at = self._property(at, "Accessible", "Parent")
        return ""

    # the bus

    def _interfaces(self, place: Place) -> list[str]:
        return [one.rpartition(".")[2] for one in self._ask(place, "Accessible", "GetInterfaces")[0]]

    def _states(self, place: Place) -> Iterator[int]:
        low, high = self._ask(place, "Accessible", "GetState")[0]
        yield from (bit for bit in range(64) if (low | high << 32) >> bit & 1)

    def _role(self, place: Place) -> str:
        return str(self._ask(place, "Accessible", "GetRoleName")[0])

    def _text(self, place: Place, name: str) -> str:
        return str(self._property(place, "Accessible", name))

    def _property(self, place: Place, interface: str, name: str) -> Any:
        properties = DBusAddress(place[1], place[0], "org.freedesktop.DBus.Properties")
        return self._call(new_method_call(properties, "Get", "ss", (f"{_ATSPI}.{interface}", name)))[0][1]

    def _ask(self, place: Place, interface: str, method: str, signature: str | None = None, *values: object) -> Any:
        address = DBusAddress(place[1], place[0], f"{_ATSPI}.{interface}")
        return self._call(new_method_call(address, method, signature, values))

    def _call(self, message: Any) -> Any:
        reply = self._asks.send_and_get_reply(message, timeout=PATIENCE_S)
        if reply.header.message_type is not MessageType.method_return:
            raise LookupError(reply.body)
        return reply.body

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        connection: DBusConnection
        for connection in (self._events, self._asks):
            connection.close()
