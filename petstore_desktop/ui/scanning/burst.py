"""Tells a scanner from a person by when keys were pressed, where, and how they ended. Pure: the keys of a possible scan
are held back by whoever asks, until it is clear what they are.

A scan is a burst of at least 4 characters with less than 35 ms between two, mostly ended by Enter or Tab. Practised
fingers type four or five digits, such as a quantity, nearly as fast: so few need a scanner's pace where they would be
written. A text expander, a remote desktop or a password manager types as fast: what a burst must show to be a scan
depends on where the keyboard is, and stands in one table. Times are those that the key events carry, so that no answer
depends on how busy this program was when it got them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.ui.context.scans import ScanSettings

GAP_MS: Final = 35
"""Two keys of a scan are less than this apart."""
LEAST_KEYS: Final = 4
"""The fewest characters of a scan; persons type two or three as fast."""
FEW_KEYS: Final = 6
"""Fewer characters than this are a quantity as well as a code, known or not: ids of pets are such numbers too."""
HAND_MS: Final = 25
"""So few of them are a person's where they are this far apart on the mean. A scanner needs 16 ms for one at the usual
pace of a keyboard, which reports each 8 ms that a key is down, and that it is up."""
_BOOKING: Final = re.compile(r"(?:[=+−-]\d+|\d+(?=\+))(?:\+\d+)*")
"""`5+12`, `=40`, `-120`: what is typed into a cell of stock, however fast, unless a pet has this code."""
MOST_KEYS: Final = 300
"""What is longer is no code of goods, and is not kept back any longer."""
LATE_END_MS: Final = 500
"""A scanner's Enter that comes this late after its last character is still the scanner's: over Bluetooth it does."""
_LEAST_MS_PER_KEY: Final = 0.5
"""Keys that came in no time were queued or made by a program: a keyboard reports once in a millisecond."""


class Sort(Enum):
    """The part that a key has in a scan."""

    CHARACTER = auto()
    END = auto()
    """Enter or Tab, with nothing held."""
    NEUTRAL = auto()
    """Shift and the locks: they come in the middle of a scan."""
    OTHER = auto()
    """All others end a burst."""


class Place(Enum):
    """What a letter does where the keyboard is."""

    KEYS = auto()
    """Buttons, menus, questions: nothing is written there, and a letter may answer."""
    ROWS = auto()
    """Lists, where a letter searches or begins to edit; and fields that are made for codes."""
    TEXT = auto()
    """It is written."""
    SECRET = auto()
    """It is written, and shown to nobody: nor is what is taken for a scan there."""


class Proof(Enum):
    """What the characters of a burst must be for a scan."""

    NOTHING = auto()
    """Whatever they are."""
    SIGNS = auto()
    """Not one and the same: that is a key held down."""
    DIGIT = auto()
    """Not one and the same, and not letters alone: those are words."""
    KNOWN = auto()
    """A code that some pet has."""


_NEEDS: Final = {
    Place.KEYS: (Proof.NOTHING, Proof.SIGNS),
    Place.ROWS: (Proof.NOTHING, Proof.DIGIT),
    Place.TEXT: (Proof.NOTHING, Proof.KNOWN),
    Place.SECRET: (Proof.NOTHING, Proof.KNOWN),
}
"""What a burst needs to be a scan: one that ended as scans do (Enter or Tab right after it, or the suffix that a person
set), and any other. All that decides between a scan and typing is here."""


class KeyFate(Enum):
    """Whether a key is delivered, held back or dropped."""

    PASS = auto()
    HOLD = auto()
    DROP = auto()


class Stroke(Struct, frozen=True):
    """A key that went down. `at`: milliseconds, as its event says. `place`: where the keyboard was."""

    key: int
    text: str
    at: int
    sort: Sort
    repeated: bool = False
    place: Place = Place.ROWS


class Judgement(Struct, frozen=True):
    """The answer for one key. What is held before it is a `scan` (drop it), or was typed (`let_go`: deliver it).
    `secret`: the scan may be a password that a program typed."""

    fate: KeyFate
    let_go: bool = False
    scan: str | None = None
    secret: bool = False


class _State(Enum):
    REST = auto()
    HOLDING = auto()
    """All characters of the burst that goes on are held."""
    PASSING = auto()
    """The beginning of the burst that goes on went through: never half a code."""
    SCANNED = auto()
    """A scan came, and nothing since: it may end late, and with two keys."""


def _known_to_nobody(_: str) -> bool:
    return False


class Burst(Struct):
    """The keys of one program. `settings` may change at any time; `known`: whether some pet has a code."""

    settings: ScanSettings = field(default_factory=ScanSettings)
    known: Callable[[str], bool] = _known_to_nobody
    _state: _State = _State.REST
    _held: list[Stroke] = field(default_factory=list[Stroke])
    _last: int = 0
    """When the latest character of a burst or a scan was pressed."""
    _down: set[int] = field(default_factory=set[int])
    """Keys that are held and not released yet."""
    _swallowed: set[int] = field(default_factory=set[int])
    """Keys of a scan that are not released yet."""

    @property
    def holds(self) -> bool:
        """Whether keys are held back."""
        return self._state is _State.HOLDING

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
        if self._goes_on(at):
            let_go = self.stop()
            self._state, self._last = _State.PASSING, at
            return Judgement(KeyFate.PASS, let_go)
        judged = self.quiet()
        self._state = _State.REST
        return judged

    def release(self, key: int) -> KeyFate:
        """A key went up: it goes the way of its press."""
        if key in self._swallowed:
            self._swallowed.discard(key)
            return KeyFate.DROP
        self._down.discard(key)
        return KeyFate.HOLD if self.holds else KeyFate.PASS

    def quiet(self) -> Judgement:
        """No key came for as long as one of a scan may take."""
        if not self.holds:
            return Judgement(KeyFate.PASS)
        judged = self._judge(ended=False)
        if judged.let_go:
            self.stop()
            self._state = _State.PASSING
        return judged

    def stop(self) -> bool:
        """Whatever is held was typed by a person; whether anything is."""
        held = self.holds
        self._forget()
        self._state = _State.REST
        return held

    def _forget(self) -> None:
        self._held.clear()
        self._down.clear()

    def _goes_on(self, at: int) -> bool:
        """Whether what comes now is near enough to belong to the burst."""
        return self._state in (_State.HOLDING, _State.PASSING) and 0 <= at - self._last < GAP_MS

    def _character(self, stroke: Stroke) -> Judgement:
        goes_on = self._goes_on(stroke.at)
        before = Judgement(KeyFate.HOLD) if goes_on else self.quiet()
        self._last = stroke.at
        if goes_on and not self.holds:
            return Judgement(KeyFate.PASS)
        if len(self._held) >= MOST_KEYS:
            self.stop()
            self._state = _State.PASSING
            return Judgement(KeyFate.PASS, let_go=True)
        self._state = _State.HOLDING
        self._held.append(stroke)
        self._down.add(stroke.key)
        return replace(before, fate=KeyFate.HOLD)

    def _end(self, stroke: Stroke) -> Judgement:
        before = Judgement(KeyFate.PASS)
        if self.holds:
            before = self._judge(ended=self._goes_on(stroke.at))
        if self._state is _State.SCANNED and 0 <= stroke.at - self._last <= LATE_END_MS:
            self._swallowed.add(stroke.key)
            return replace(before, fate=KeyFate.DROP)
        self.stop()
        return before

    def _judge(self, *, ended: bool) -> Judgement:
        """What is held is a scan, and all its keys are dropped; or it is to be let go."""
        held, settings = self._held, self.settings
        code = settings.code("".join(stroke.text for stroke in held))
        pace = (held[-1].at - held[0].at) / max(1, len(held) - 1)
        by_hand = held[0].place is not Place.KEYS and len(held) < FEW_KEYS and pace >= HAND_MS
        in_no_time = len(held) > 1 and pace < _LEAST_MS_PER_KEY
        proof = _NEEDS[held[0].place][0 if ended or settings.suffix else 1]
        if code is not None and held[0].place is not Place.KEYS and _BOOKING.fullmatch(code):
            proof = Proof.KNOWN
        if code is None or len(held) < LEAST_KEYS or in_no_time or by_hand or not self._proves(proof, code):
            return Judgement(KeyFate.PASS, let_go=True)
        secret = held[0].place is Place.SECRET and not self.known(code)
        self._swallowed |= self._down
        self._forget()
        self._state = _State.SCANNED
        return Judgement(KeyFate.PASS, scan=code, secret=secret)

    def _proves(self, proof: Proof, code: str) -> bool:
        if proof is Proof.NOTHING:
            return True
        several = len(set(code)) > 1 and proof is not Proof.KNOWN
        return (several and (proof is Proof.SIGNS or any(map(str.isdecimal, code)))) or self.known(code)
