"""One act of a person, which is undone, or redone, as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import eq

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.values.cells import Sentence
from petstore_desktop.domain.own_acts import OwnAct, OwnParts
from petstore_desktop.domain.records import JsonValue


def _always(_: bool) -> bool:
    return True


class Keeper(Struct, frozen=True):
    """Keeps one kind of what only this computer has: what parts of it are `now`, and what lets them be so (`put`).
    `alike`: whether a part still is what an act left there; `is_read`: it is known what there is."""

    now: Callable[[Iterable[str]], OwnParts]
    put: Callable[[OwnParts], object]
    alike: Callable[[JsonValue, JsonValue], bool] = eq
    is_read: Callable[[], bool] = lambda: True

    def are(self, parts: OwnParts) -> bool:
        """Whether these parts are so now."""
        now = self.now(parts)
        return all(self.alike(now[name], part) for name, part in parts.items())


def both_there(one: JsonValue, other: JsonValue) -> bool:
    """Whether both are there, or neither: for `Keeper.alike`, where what a part is like does not matter."""
    return (one is None) is (other is None)


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
    `inverse`, the desk of the stock room where it was done, the ids of what was `known` of the journal then, and the
    act as it is `kept` over a restart (None at a desk: its lines are drafts).
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
    kept: OwnAct | None = None

    def again(self, at: float, known: frozenset[str], upon: str) -> DoneAct:
        """The same, done at another time."""
        kept = None if self.kept is None else replace(self.kept, at=at, upon=upon)
        return replace(self, at=at, known=known, kept=kept)
