"""One act of a person, which is undone, or redone, as a whole."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.values.cells import Sentence


def _always(_: bool) -> bool:
    return True


class Inverse(Struct, frozen=True):
    """How an act that only this computer keeps is undone (`back`) and redone (`again`). `holds` says whether what it
    left is still so or, of one that was undone (True), what was there before it: else it is not taken."""

    back: Callable[[], object]
    again: Callable[[], object]
    holds: Callable[[bool], bool] = _always


class DoneAct(Struct, frozen=True, eq=False):
    """One act, which is undone, or redone, as a whole.

    `id`: of its batch or `decision` in the journal, or one of its own; `what`: the rest of "Undo ...", as a sentence or
    in words; `at`: when it was done (UTC epoch seconds); `count`: how many changes it takes back; `stays`: the code of
    the reason why it cannot be undone; `written`: it is in the journal. Of what only this computer keeps: its
    `inverse`, the desk of the stock room where it was done, and the ids of what was `known` of the journal then.
    """

    id: str
    what: Sentence | str
    at: float
    count: int = 1
    decision: bool = False
    stays: str = ""
    written: bool = True
    inverse: Inverse | None = None
    place: str = ""
    known: frozenset[str] = frozenset()

    def again(self, at: float, known: frozenset[str]) -> DoneAct:
        """The same, done at another time."""
        return replace(self, at=at, known=known)
