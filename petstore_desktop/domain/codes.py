"""What a bar code says: one of our own labels, which are an id and a check letter, or a code that a person taught.

Taught codes are kept on this computer only; the service knows nothing of them. `desk/scanning/resolve` says which pets
a scanned text means.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from msgspec import Struct, field

from petstore_desktop.domain.records import ServiceId, id_of_text

_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
"""The check letters: 23, a prime, and none that looks like a digit."""
_FILL = "X"
_LEAST = 4
"""The fewest characters of a label."""
MOST_CODE = 256
"""Characters of a code; what is longer is no code of goods."""


def label_code(key: ServiceId) -> str:
    """What the label of a pet says: its id and a check letter, so that it is never taken for another id. A short id is
    filled up: what is shorter than 4 characters is no scan."""
    text = str(key)
    filled = max(0, _LEAST - 1 - len(text))
    body = text + _FILL * filled
    return body + _check_letter(body, filled)


def key_of_label(text: str) -> ServiceId | None:
    """The id on a label; None for a text that is no label of ours. The letters that we add may be small."""
    body, letter = text[:-1], text[-1:].upper()
    if len(body) < _LEAST - 1:
        return None
    if letter == _check_letter(body, 0):
        return id_of_text(body)
    for filled in range(1, _LEAST - 1) if len(body) == _LEAST - 1 else ():
        key, fill = body[:-filled], body[-filled:].upper()
        if fill == _FILL * filled and letter == _check_letter(key + fill, filled):
            return id_of_text(key)
    return None


def _check_letter(text: str, filled: int) -> str:
    """The letter differs after one wrong digit, after two neighbours in each other's place, and for each number of
    letters that `text` is filled up with: no other id has the same label."""
    rest = 0
    for letter in text:
        rest = (rest * 31 + ord(letter)) % len(_LETTERS)
    return _LETTERS[(rest + filled) % len(_LETTERS)]


def scanned_code(text: str) -> str:
    """A code as it is kept and compared: without space around it, with digits as 0 to 9, whatever the keyboard that the
    computer takes the scanner for."""
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in text.strip())


class Codes(Struct, frozen=True):
    """The taught codes: the pets of each. Of more than one the person chooses at each scan."""

    pets: Mapping[str, tuple[ServiceId, ...]] = field(default_factory=dict[str, tuple[ServiceId, ...]])

    def __bool__(self) -> bool:
        return bool(self.pets)

    def of(self, code: str) -> tuple[ServiceId, ...]:
        """The pets that have this code."""
        return self.pets.get(scanned_code(code), ())

    def with_pet(self, code: str, pet: ServiceId) -> Codes:
        """A copy in which this pet has the code, beside those that have it."""
        had = self.of(code)
        return self if pet in had else self.with_pets(code, (*had, pet))

    def with_pets(self, code: str, pets: tuple[ServiceId, ...]) -> Codes:
        """A copy in which exactly these pets have the code; without any it is unknown."""
        others = {one: its for one, its in self.pets.items() if one != scanned_code(code)}
        return Codes({**others, scanned_code(code): pets} if pets else others)
