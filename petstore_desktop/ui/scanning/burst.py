"""Tells a scanner from a person by when keys were pressed. Pure: the keys of a possible scan are held back by whoever
asks, until it is clear what they are.

A scan is a burst of at least 4 characters with less than 35 ms between two, mostly ended by Enter or Tab. Times are
those that the key events carry, so that no answer depends on how busy this program was when it got them.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto
from typing import Final

from petstore_desktop.quicker.dataclass import dataclass
from petstore_desktop.ui.context.scans import ScanSettings

GAP_MS: Final = 35
"""Two keys of a scan are less than this apart."""
LEAST_KEYS: Final = 4
"""The fewest characters of a scan; persons type two or three as fast."""
LATE_END_MS: Final = 150
"""A scanner's Enter that comes this late after its last character is still the scanner's."""
_LEAST_MS_PER_KEY: Final = 0.5
"""Keys that came in no time were queued or made by a program: a keyboard reports once in a millisecond."""
_HELD_KEY_MS: Final = 20
"""One key alone at this pace or slower is a key held down, though nothing says that it repeats."""
_MOST_DOWN: Final = 2
"""A scanner lets go of a key before the next one, or just after it; a hand that rolls over the keys holds more."""


class Sort(Enum):
    """The part that a key has in a scan."""

    CHARACTER = auto()
    END = auto()
    """Enter or Tab, with nothing held."""
    NEUTRAL = auto()
    """Shift and the locks: they come in the middle of a scan."""
    OTHER = auto()
    """All others end a burst."""


class KeyFate(Enum):
    """Whether a key is delivered, held back or dropped."""

    PASS = auto()
    HOLD = auto()
    DROP = auto()


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key that went down. `at`: milliseconds, as its event says."""

    key: int
    text: str
    at: int
    sort: Sort
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer for one key. What is held before it is a `scan` (drop it), or was typed (`let_go`: deliver it)."""

    fate: KeyFate
    let_go: bool = False
    scan: str | None = None


@dataclass(slots=True)
class Burst:
    """The keys of one window. `settings` may change at any time."""

    settings: ScanSettings = field(default_factory=ScanSettings)
    releases_late: bool = False
    """Whether releases come so late that they tell nothing."""
    _held: list[Stroke] = field(default_factory=list[Stroke])
    _down: set[int] = field(default_factory=set[int])
    _most_down: int = 0
    _released: bool = False
    _last: int | None = None
    """When the latest character was pressed, held or not."""
    _scanned_at: int | None = None
    """When the last character of the latest scan was pressed, until the next one comes: it may end with two keys."""
    _swallowed: set[int] = field(default_factory=set[int])
    """Keys of a scan that are not released yet."""

    @property
    def holds(self) -> bool:
        """Whether keys are held back."""
        return bool(self._held)

    def press(self, stroke: Stroke) -> Judgement:
        """A key went down."""
        if stroke.sort is Sort.NEUTRAL:
            return Judgement(KeyFate.PASS)
        self._swallowed.discard(stroke.key)
        if stroke.repeated or stroke.sort is Sort.OTHER:
            return self.interrupt(stroke.at)
        return self._end(stroke) if stroke.sort is Sort.END else self._character(stroke)

    def interrupt(self, at: int) -> Judgement:
        """Something else came that must not overtake what is held; that may have been a whole scan by then."""
        near = self._near(at)
        scan = None if near else self._scan()
        self._last = at if near and self._held else None  # the rest of a scan that this broke is no code
        return Judgement(KeyFate.PASS, self.stop(), scan)

    def release(self, key: int) -> KeyFate:
        """A key went up: it goes the way of its press."""
        if key in self._swallowed:
            self._swallowed.discard(key)
            return KeyFate.DROP
        if not self._held:
            return KeyFate.PASS
        self._down.discard(key)
        self._released = True
        return KeyFate.HOLD

    def quiet(self) -> Judgement:
        """No key came for as long as one of a scan may take."""
        scan = self._scan()
        return Judgement(KeyFate.PASS, scan is None and self.stop(), scan)

    def stop(self) -> bool:
        """Whatever is held was typed by a person; whether anything is."""
        held = bool(self._held)
        self._scanned_at = None
        self._forget()
        return held

    def _forget(self) -> None:
        self._held.clear()
        self._down.clear()
        self._most_down, self._released = 0, False

    def _near(self, at: int) -> bool:
        return self._last is not None and 0 <= at - self._last < GAP_MS

    def _character(self, stroke: Stroke) -> Judgement:
        near, self._last = self._near(stroke.at), stroke.at
        scan = None if near else self._scan()
        let_go = not near and scan is None and self.stop()
        self._scanned_at = None
        if near and not self._held:
            return Judgement(KeyFate.PASS)  # its beginning went through: never half a code
        self._held.append(stroke)
        self._down.add(stroke.key)
        self._most_down = max(self._most_down, len(self._down))
        return Judgement(KeyFate.HOLD, let_go, scan)

    def _end(self, stroke: Stroke) -> Judgement:
        near, scan, self._last = self._near(stroke.at), self._scan(), None
        late = self._scanned_at is not None and 0 <= stroke.at - self._scanned_at <= LATE_END_MS
        if not late and not (near and scan is not None):
            return Judgement(KeyFate.PASS, self.stop(), scan)
        self._swallowed.add(stroke.key)
        return Judgement(KeyFate.DROP, scan=scan)

    def _scan(self) -> str | None:
        """The code that is held; with it all its keys are dropped."""
        held = self._held
        rolled = self._released and self._most_down > _MOST_DOWN and not self.releases_late
        if len(held) < LEAST_KEYS or rolled:
            return None
        pace = (held[-1].at - held[0].at) / (len(held) - 1)
        if pace < _LEAST_MS_PER_KEY or (pace > _HELD_KEY_MS and len({stroke.key for stroke in held}) == 1):
            return None
        code = self.settings.code("".join(stroke.text for stroke in held))
        if code is not None:
            self._swallowed |= self._down
            self._scanned_at = held[-1].at
            self._forget()
        return code
