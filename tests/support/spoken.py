"""The program in another language, with marks in its texts that nobody sees, so that a test can read each in English.

Besides the languages that ship there are two that are made from the English texts: `pseudo` has accents, is 40 % longer
and in brackets, and `mirrored` is the same in a window that runs from right to left. A text without brackets was not
translated; one that lost its closing bracket was cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FunctionType
from typing import cast

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication

from petstore_desktop.tour import stage
from petstore_desktop.ui.text import translate

PSEUDO, MIRRORED = "pseudo", "mirrored"
MADE = (PSEUDO, MIRRORED)
BRACKETS = "⟦⟧"
_OPEN, _CLOSE, _ZERO, _ONE = "\ufe00", "\ufe01", "\ufe02", "\ufe03"
"""Variation selectors, which no font of letters knows: a text begins with the first and its number in bits."""
_BITS = 13
_LONGER = 0.4
_ACCENTS = str.maketrans("aceginosuyzACEGINOSUYZ", "áçéğíñóšúýžÁÇÉĞÍÑÓŠÚÝŽ")
_KEPT = re.compile(r"(\{\w*\}|</?\w+[^>]*>|&\w|&)")
_PLACE = re.compile(r"\{(\w+)\}")
_MARKS = re.compile(f"[{_OPEN}-{_ONE}]")
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩٬٫", "0123456789,.", "\u200e\u200f\u061c")


def pseudo(text: str) -> str:
    """An English text with accents, 40 % longer and in brackets; places, tags and key letters stay as they are."""
    parts = _KEPT.split(text)
    said = "".join(part if at % 2 else part.translate(_ACCENTS) for at, part in enumerate(parts))
    more = "~" * max(1, round(_LONGER * sum(len(part) for part in parts[::2])))
    return f"{BRACKETS[0]}{said}{more}{BRACKETS[1]}"


class Spoken:
    """Texts as one language says them, each between marks that lead back to English."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._known: dict[str, int] = {}
        self._said: list[str] = []

    def begin(self) -> None:
        """From now on, in this process, the program speaks so, and the tour reads it in English."""
        translate.__dict__.update(_spoken=self.say)
        cast("FunctionType", translate.tr).__code__ = cast("FunctionType", _tr).__code__
        stage.read_back, stage.spell, stage.word_for = self.english, self.spell, self.word_for

    def say(self, text: str, comment: str, n: int, one: str, params: dict[str, object]) -> str:
        """What `tr` returns, between marks."""
        english = one if n == 1 and one else text
        if self.language in MADE:
            said = pseudo(english)
        else:
            said = QCoreApplication.translate("", text, comment or None, min(n, 2**31 - 1))
            said = english if said == text else said
        if n >= 0:
            params["n"] = translate.number(n)
            english = english if "{n}" in said else english.replace("{n}", f"{n:,}")  # the word says it by itself
        if QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            said = translate.between_words(said)
        marked = self._marked(english, _PLACE.sub(lambda place: self._marked(place[1], place[0]), said))
        return marked.format(**params) if params else marked

    def _marked(self, english: str, said: str) -> str:
        number = self._known.setdefault(english, len(self._known))
        if number == len(self._said):
            self._said.append(english)
        bits = f"{number:0{_BITS}b}".replace("0", _ZERO).replace("1", _ONE)
        return f"{_OPEN}{bits}{said}{_CLOSE}"

    def english(self, text: str) -> str:
        """A text that the window shows, in English; key letters are marked where they are marked there."""
        said = "".join(self._read(iter(text), None)).translate(_DIGITS)
        said = re.sub(rf"(?<=\d){re.escape(translate.locale().groupSeparator())}(?=\d{{3}}(?!\d))", ",", said)
        return said if "&" in text else said.replace("&", "")

    def _read(self, signs: Iterator[str], within: str | None) -> Iterator[str]:
        """The English of what comes until this text ends; `within` a text, what stands there are its places."""
        values: dict[str, str] = {}
        for sign in signs:
            if sign == _CLOSE:
                break
            if sign == _OPEN:
                bits = "".join(next(signs, _ZERO) for _ in range(_BITS))
                number = int(bits.replace(_ZERO, "0").replace(_ONE, "1"), 2)
                english = self._said[number] if number < len(self._said) else "?"
                if within is None:
                    yield "".join(self._read(signs, english))
                else:
                    values[english] = "".join(self._read(signs, None))
            elif within is None:
                yield sign
        if within is not None:
            yield _PLACE.sub(lambda place: values.get(place[1], ""), within)

    def spell(self, english: str) -> str:
        """How the entry of a list that is called so begins here."""
        said = re.sub(r"\(&?\w\)", "", translate.tr(english))
        return said[: 1 + _BITS + 3] if self.language in MADE else said[:-1]

    def word_for(self, english: str) -> str:
        """What finds the action or view that is called so: its own words, without key letter and places."""
        plain = (re.sub(r"[&…]", "", one).strip() for one in self._said)
        known = dict(zip(plain, self._said, strict=True))
        found = min((one for one in known if one.lower().startswith(english)), key=len)
        said = unmarked(translate.tr(known[found])).strip(BRACKETS)
        return re.sub(r"\(&?.\)|&|…|~|\{\w*\}", "", said).strip()


def unmarked(text: str) -> str:
    """A text as a person sees it."""
    return _MARKS.sub("", text)


def _tr(text: str, comment: str = "", n: int = -1, /, *, one: str = "", **params: object) -> str:
    """Run in the place of `tr`, among its module's names."""
    return str(globals()["_spoken"](text, comment, n, one, params))


def speak(application: QCoreApplication, language: str | None) -> None:
    """Stands for the program's own `speak` where the language is made from the English texts."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    if isinstance(application, QGuiApplication) and language == MIRRORED:
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
