"""Sequences of what happens at a keyboard, each piece of which is known to be a scan or not: what the filter makes of
them is compared with that, and with what a plain widget receives.

    wrong = play(filter_of(window), receiver, random.Random(7))
"""

from __future__ import annotations

import random
import string
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QInputMethodEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.ui.context.scans import MADE_FOR_CODES, ScanSettings
from petstore_desktop.ui.scanning.key_filter import KeyFilter
from tests.support.keyboard import Keyboard

SIGNS = string.ascii_letters + string.digits + "-+.#/ "
GAPS = (1, 2, 5, 8, 15, 25, 34)


PLACES = ("text", "secret", "rows", "keys")


class Receiver(QWidget):
    """Notes each key and each text of an input method that reaches it, in order. `place`: what it is like; `known`: the
    codes of the shop."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.got: list[str] = []
        self.known: set[str] = set()
        self.become("text")

    def become(self, place: str) -> None:
        """Be like a text field, a field for passwords, a list or a button."""
        self.place = place
        hidden = Qt.InputMethodHint.ImhHiddenText if place == "secret" else Qt.InputMethodHint.ImhNone
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, place in ("text", "secret"))
        self.setInputMethodHints(hidden)
        self.setProperty(MADE_FOR_CODES, place == "rows")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self.got.append(f"Ctrl+{chr(event.key())}" if control else event.text() or f"key {event.key():x}")

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if event.commitString():
            self.got.append(event.commitString())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.got.append("click")


@dataclass
class Story:
    """One sequence as it should come out."""

    chance: random.Random
    scans: list[str] = field(default_factory=list[str])
    typed: list[str] = field(default_factory=list[str])
    told: list[str] = field(default_factory=list[str])
    """In words, for a failure."""


def _is_scan(receiver: Receiver, code: str, took: int, *, ended: bool) -> bool:
    """Told in words of its own, not by the program's table: text is a scan only where something ended it or a pet has
    it; elsewhere a code without an end has a digit, or is at a place without text. Fewer than six letters that `took`
    as many milliseconds as a hand needs are typed, but where nothing is written."""
    known = code in receiver.known
    if receiver.place != "keys" and len(code) < 6 and took >= 25 * (len(code) - 1):
        return False
    if receiver.place in ("text", "secret"):
        return ended or known
    return ended or known or receiver.place == "keys" or any(sign in string.digits for sign in code)


def _scan(story: Story, keys: Keyboard, receiver: Receiver) -> None:
    chance = story.chance
    first = chance.choice(SIGNS.strip())
    code = first + "".join(chance.choices(SIGNS, k=chance.randrange(2, 30))) + chance.choice(SIGNS.strip())
    pace, end = chance.choice(GAPS), chance.choice(["\n", "\n", "\n", "\t", ""])
    gaps = [max(1, min(34, pace + chance.randrange(-3, 4))) for _ in code]
    if len(set(code)) == 1:
        return
    if chance.random() < 0.4:
        receiver.known.add(code)
    scanned = _is_scan(receiver, code, sum(gaps[:-1]), ended=bool(end))
    told = f"scan {code!r} at {gaps} then {end!r}, {code in receiver.known=}"
    for letter, gap in zip(code, gaps, strict=True):
        keys.type(letter, gap)
    keys.type(end, 3)
    late = not end and chance.random() < 0.5
    if late:
        keys.rest(chance.randrange(40, 460))
        keys.type("\n", 3)
        told += " and late Enter"
    story.told.append(told)
    if scanned and (receiver.place != "secret" or code in receiver.known):
        story.scans.append(code)
    elif scanned:
        story.scans.append("(hidden)")
    else:
        story.typed += [*code, *(end or "\n" * late).replace("\n", "\r")]
    keys.rest(chance.choice([35, 50, 80, 400]) if end else chance.choice([200, 400]))


def _held_far_away(story: Story, keys: Keyboard, _: Receiver) -> None:
    """A remote desktop does not say that a key repeats."""
    text = story.chance.choice(SIGNS.strip()) * story.chance.randrange(2, 20)
    story.told.append(f"held far away {text!r}")
    keys.type(text, 30)
    story.typed += text
    keys.rest(160)


def _long_text(story: Story, keys: Keyboard, _: Receiver) -> None:
    """What a text expander types is longer than any code."""
    text = "".join(story.chance.choices(SIGNS.strip(), k=story.chance.randrange(301, 340))) + "\n"
    story.told.append(f"long {text!r}")
    keys.type(text, story.chance.choice((1, 2)))
    story.typed += text.replace("\n", "\r")
    keys.rest(160)


def _typing(story: Story, keys: Keyboard, _: Receiver) -> None:
    first = story.chance.choice(SIGNS)  # an Enter right after a scan is the scanner's
    text = first + "".join(story.chance.choices(SIGNS + "\n\t", k=story.chance.randrange(12)))
    story.told.append(f"typing {text!r}")
    for letter in text:
        keys.type(letter, story.chance.randrange(40, 300))
    story.typed += [letter.replace("\n", "\r") for letter in text]
    keys.rest(160)


def _fast(story: Story, keys: Keyboard, _: Receiver) -> None:
    text = "".join(story.chance.choices(SIGNS, k=story.chance.randrange(2, 4)))
    text += story.chance.choice(["", "\n"])
    story.told.append(f"fast {text!r}")
    keys.type(text, story.chance.choice(GAPS))
    story.typed += [letter.replace("\n", "\r") for letter in text]
    keys.rest(160)


def _held_key(story: Story, keys: Keyboard, _: Receiver) -> None:
    letter, count = story.chance.choice(string.ascii_letters), story.chance.randrange(4, 20)
    story.told.append(f"held {letter!r} {count} times")
    keys.press(letter)
    keys.rest(250)
    for _number in range(count):
        keys.press(letter, repeat=True)
        keys.at += story.chance.choice([4, 15, 33])
    keys.release(letter)
    story.typed += [letter] * (count + 1)
    keys.rest(100)


def _queued(story: Story, keys: Keyboard, _: Receiver) -> None:
    """A program types, or keys were queued without times of their own."""
    text = "".join(story.chance.choices(SIGNS, k=story.chance.randrange(4, 20)))
    story.told.append(f"queued {text!r}")
    keys.type(text, 0)
    story.typed += text
    keys.rest(160)


def _paste(story: Story, keys: Keyboard, _: Receiver) -> None:
    story.told.append("Ctrl+V")
    keys.type(story.chance.choice(["", "a", "ab"]), 10)
    keys.press("v", mods=Qt.KeyboardModifier.ControlModifier)
    keys.release("v")
    before = story.told[-1]
    story.typed += [*_last_typed(keys), before]
    keys.rest(160)


def _last_typed(keys: Keyboard) -> list[str]:
    typed, keys.typed = keys.typed, ""
    return list(typed)


def _composed(story: Story, keys: Keyboard, focus: Receiver) -> None:
    story.told.append("composed")
    fast = story.chance.choice(["", "n", "no"])
    keys.type(fast, 5)
    QApplication.sendEvent(focus, QInputMethodEvent("~", []))
    text = "".join(story.chance.choices(string.ascii_lowercase, k=6)) if story.chance.random() < 0.5 else ""
    keys.type(text, 5)
    event = QInputMethodEvent("", [])
    event.setCommitString("ñ")
    QApplication.sendEvent(focus, event)
    story.typed += [*fast, *text, "ñ"]
    keys.rest(160)


def _click(story: Story, keys: Keyboard, focus: Receiver) -> None:
    story.told.append("click")
    fast = story.chance.choice(["", "n", "no", "nor"])
    keys.type(fast, 5)
    at, none = focus.rect().center().toPointF(), Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(
        QEvent.Type.MouseButtonPress, at, at, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, none
    )
    event.setTimestamp(keys.at)
    QCoreApplication.sendEvent(keys.window, event)
    story.typed += [*fast, "click"]
    keys.rest(160)


_TYPED = (_typing, _fast, _held_key, _held_far_away, _queued, _paste, _composed, _click)
PIECES = (*(_scan,) * 5, *_TYPED, *_TYPED, _long_text)


def play(keys_of: KeyFilter, receiver: Receiver, chance: random.Random, found: list[str]) -> str:
    """Play one sequence; what was wrong, or nothing. `found`: the scans, as the filter tells them."""
    story, keys = Story(chance), Keyboard(chance.randrange(10**9))
    found.clear()
    receiver.got.clear()
    receiver.known.clear()
    receiver.become(chance.choice(PLACES))
    story.told.append(f"at {receiver.place}")
    for piece in chance.choices(PIECES, k=chance.randrange(1, 8)):
        keys.typed = ""
        piece(story, keys, receiver)
    keys.rest()
    keys.press("\x1b")
    QCoreApplication.sendPostedEvents()
    QApplication.processEvents()
    got = receiver.got[:-1]
    if found == story.scans and got == story.typed and not keys_of.holds:
        return ""
    return f"{story.told}\nscans {found}\nnot   {story.scans}\ngot {got}\nnot {story.typed}"


def stage() -> tuple[KeyFilter, Receiver, list[str]]:
    """A window with the keyboard, its filter, and where scans are noted."""
    receiver = Receiver()
    receiver.show()
    receiver.activateWindow()
    receiver.setFocus()
    QApplication.processEvents()
    found: list[str] = []

    def no_action(_: QKeySequence) -> QAction | None:
        return None

    keys = KeyFilter(ScanSettings(), no_action, lambda code: code in receiver.known, receiver)
    keys.scanned.connect(found.append)
    keys.hidden.connect(lambda: found.append("(hidden)"))
    return keys, receiver, found
