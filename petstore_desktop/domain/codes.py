"""What a bar code says: one of our own labels, which are an id and a check letter, or a code that a person taught.

Taught codes are kept on this computer only; the service knows nothing of them. `desk/codes/resolve` says which pets a
scanned text means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from petstore_desktop.domain.records import ServiceId, id_of_text

_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
"""The check letters: 23, a prime, and none that looks like a digit."""
MOST_CODE = 256
"""Characters of a code; what is longer is no code of goods."""


def label_code(key: ServiceId) -> str:
    """What the label of a pet says: its id and one check letter, so that it is never taken for another id."""
    return f"{key}{_check_letter(str(key))}"


def key_of_label(text: str) -> ServiceId | None:
    """The id on a label; None for a text that is no label of ours. The check letter may be small."""
    key, letter = text[:-1], text[-1:].upper()
    return id_of_text(key) if key and letter == _check_letter(key) else None


def _check_letter(text: str) -> str:
    """The letter differs after one wrong digit, and after two neighbours in each other's place."""
    rest = 0
    for letter in text:
        rest = (rest * 31 + ord(letter)) % len(_LETTERS)
    return _LETTERS[rest]


def scanned_code(text: str) -> str:
    """A code as it is kept and compared: without space around it."""
    return text.strip()


@dataclass(frozen=True, slots=True)
class Codes:
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
