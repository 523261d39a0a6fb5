"""What was typed in cells and cannot be: kept as it was typed, with the reason, until it is mended or given up. It is
no change, and counts nowhere as saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petstore_desktop.domain.records import Key
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.translate import tr


@dataclass(frozen=True, slots=True)
class Invalid:
    """A text as it was typed, and the code of why it cannot be."""

    text: str
    code: str

    def words(self) -> str:
        """Why, and that it is not saved."""
        return tr("{reason} Not saved: mend it, or give it up with Esc.", reason=bad_input_words(self.code))

    def cell(self) -> Cell:
        """What the delegate paints in its place."""
        return Cell(text=plain(self.text) or tr("empty"), tone="bad", icon="warning", mark="invalid", tip=self.words())


class InvalidCells:
    """Of one table, by record and column id."""

    def __init__(self) -> None:
        self._found: dict[tuple[Key, str], Invalid] = {}

    def __len__(self) -> int:
        return len(self._found)

    def get(self, key: Key, column: str) -> Invalid | None:
        """What is kept in this cell."""
        return self._found.get((key, column))

    def keep(self, key: Key, column: str, text: str, code: str) -> None:
        """Keep this in the cell, in place of what was kept."""
        self._found[key, column] = Invalid(text, code)

    def give_up(self, key: Key, column: str) -> bool:
        """Forget what is kept in this cell; whether anything was."""
        return self._found.pop((key, column), None) is not None

    def of_row(self, key: Key) -> bool:
        """Whether anything is kept in this row."""
        return any(one == key for one, _ in self._found)

    def places(self) -> list[tuple[Key, str]]:
        """The cells in which something is kept, the oldest first."""
        return list(self._found)

    def follow(self, resolve: Callable[[Key], Key]) -> None:
        """Records may have got their numbers."""
        self._found = {(resolve(key), column): kept for (key, column), kept in self._found.items()}
