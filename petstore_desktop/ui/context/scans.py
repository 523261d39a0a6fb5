"""Scans of one window: where they go, and how their outcome is marked.

`ui/scanning` recognises a scan among the keys, takes it out of wherever it went, and hands it in here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from petstore_desktop.desk.scanning.resolve import Found
    from petstore_desktop.domain.records import Ref

Outcome: TypeAlias = Literal["found", "unknown", "offered"]
Taker: TypeAlias = Callable[[str], object]
SCANNER, SCAN_SOUND, SCAN_PREFIX, SCAN_SUFFIX = "scanner", "scanSound", "scanPrefix", "scanSuffix"
"""The names of preferences; of the first two, "off" is off."""
MADE_FOR_CODES = "madeForCodes"
"""The property of a field that scans are typed into: one that a scanner ends with nothing is a scan there too."""


class ScanSettings(Struct, frozen=True):
    """What a person set of the scanner. `prefix`, `suffix`: what it types before and after each code; `suffix` may be
    "" though it presses Enter or Tab."""

    on: bool = True
    sound: bool = True
    prefix: str = ""
    suffix: str = ""

    @staticmethod
    def of(preference: Callable[[str], str]) -> ScanSettings:
        """The settings as preferences hold them."""
        on, sound = (preference(name) != "off" for name in (SCANNER, SCAN_SOUND))
        return ScanSettings(on, sound, preference(SCAN_PREFIX), preference(SCAN_SUFFIX))

    def code(self, text: str) -> str | None:
        """A typed text without what the scanner puts around it; None where that is not around it."""
        whole = len(text) > len(self.prefix) + len(self.suffix)
        if not whole or not text.startswith(self.prefix) or not text.endswith(self.suffix):
            return None
        return text[len(self.prefix) : len(text) - len(self.suffix)]


class Scan(Struct, frozen=True):
    """A scanned text, without prefix and suffix. `at`: when its last key came, as `time.monotonic` counts."""

    text: str
    at: float


class ScanMark(Struct, frozen=True):
    """What became of a scan, for eyes, ears and screen readers; `still`: whether it is so yet."""

    outcome: Outcome
    words: str
    still: Callable[[], bool] | None = None


class PetQuestion(Struct, frozen=True):
    """Which pet a code is, of those found or, without any, of all. `chosen` gets the pet."""

    found: Found
    chosen: Callable[[Ref], object]


class MarkScan(Protocol):
    """Marks what became of a scan; see `Scans.mark`."""

    def __call__(self, outcome: Outcome, words: str, still: Callable[[], bool] | None = None) -> None:
        """Beep and show."""
        ...


class Scans(QObject):
    """For one window.

    Signals:
        scanned: Scan: a scan came; nothing else has seen its keys.
        marked: ScanMark: beep and show this.
        asked: PetQuestion: ask which pet a code is.
    """

    scanned = Signal(object)
    marked = Signal(object)
    asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._station_shown: Callable[[], Taker | None] = lambda: None
        self._own_way: Taker = lambda _: None

    @property
    def taken(self) -> bool:
        """Whether a desk takes the scans now."""
        return self._station_shown() is not None

    def go_to(self, station_shown: Callable[[], Taker | None]) -> None:
        """Each scan asks this who takes it: the desk that a person sees now, whatever has the focus; None: it goes the
        window's own way. Nobody is remembered, so that nothing is booked on a page that is not to be seen."""
        self._station_shown = station_shown

    def go_else(self, own_way: Taker) -> None:
        """The window's own way, for as long as no desk that is shown takes the scans."""
        self._own_way = own_way

    def came(self, scan: Scan) -> None:
        """A scan came: tell everybody, and hand it to the one who takes it."""
        self.scanned.emit(scan)
        (self._station_shown() or self._own_way)(scan.text)

    def ask(self, found: Found, chosen: Callable[[Ref], object]) -> None:
        """Ask in the window, beside its work, which pet a code is: one of those found, or of all. The answer for an
        unknown code is remembered. Nothing comes back if the person leaves."""
        self.asked.emit(PetQuestion(found, chosen))

    def mark(self, outcome: Outcome, words: str, still: Callable[[], bool] | None = None) -> None:
        """Beep and show what became of a scan, for a moment, and not longer than it is so; a screen reader says it."""
        self.marked.emit(ScanMark(outcome, words, still))
