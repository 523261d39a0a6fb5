"""The rows that data checks find, by check: computed when first asked for, and kept right while a list is filtered by
them."""

from __future__ import annotations

from collections.abc import Set
from itertools import chain
from weakref import WeakSet

from petstore_desktop.desk.data_checks.data_checks import BY_ID, DataCheck, all_slots, facts_of, found_among
from petstore_desktop.desk.model.ripple import Moves
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.domain.records import Resource

_MARKS = "marks"
"""The column whose filter knows the checks."""


class CheckedRows:
    """Of one shop. What nobody watches is forgotten with the next event, and computed again when it is asked for."""

    def __init__(self, shop: ShopModel) -> None:
        self._shop = shop
        self._found: dict[str, dict[int, object]] = {}
        self._watchers: dict[str, WeakSet[object]] = {}
        self._facts = facts_of(shop)

    def of(self, check_id: str) -> Set[int]:
        """The slots of the rows that a check finds now."""
        found = self._found.get(check_id)
        if found is None:
            found = self._found[check_id] = self._all(BY_ID[check_id])
        return found.keys()

    def watch(self, check_id: str, watcher: object) -> None:
        """As long as `watcher` lives, its list is told of rows that are found, or no longer found."""
        self._watchers.setdefault(check_id, WeakSet()).add(watcher)

    def _all(self, check: DataCheck) -> dict[int, object]:
        return found_among(self._shop, check, all_slots(self._shop, check.resource))

    def _is_watched(self, check_id: str) -> bool:
        return bool(self._watchers.get(check_id))

    def follow(self, moves: Moves) -> None:
        """Rows moved: add to `moves` those of watched checks whose answer is another now."""
        facts = facts_of(self._shop) if any(map(self._is_watched, self._found)) else self._facts
        moved = self.ask_all_again() if facts != self._facts else self._ask_some(moves)
        for resource, slots in moved.items():
            if slots:
                moves.joined[resource].setdefault(_MARKS, set()).update(slots)

    def ask_all_again(self) -> dict[Resource, set[int]]:
        """Rows came unseen, or lists were read: the rows of watched checks whose answer is another now."""
        self._facts = facts_of(self._shop)
        moved: dict[Resource, set[int]] = {}
        for check_id, before in [*self._found.items()]:
            check = BY_ID[check_id]
            del self._found[check_id]
            if self._is_watched(check_id):
                after = self._found[check_id] = self._all(check)
                moved.setdefault(check.resource, set()).update(before.keys() ^ after.keys())
        return moved

    def _ask_some(self, moves: Moves) -> dict[Resource, set[int]]:
        moved: dict[Resource, set[int]] = {}
        for check_id, before in [*self._found.items()]:
            if not self._is_watched(check_id):
                del self._found[check_id]
                continue
            check = BY_ID[check_id]
            asked = self._concerned(check, moves, before)
            after = found_among(self._shop, check, list(asked))
            moved.setdefault(check.resource, set()).update((before.keys() & asked) ^ after.keys())
            for slot in asked - after.keys():
                before.pop(slot, None)
            before.update(after)
        return moved

    def _concerned(self, check: DataCheck, moves: Moves, found: dict[int, object]) -> set[int]:
        """The rows in use whose answer may be another now; those that went are found no more."""
        merge, store = moves.of(check.resource), self._shop.stores[check.resource]
        asked = {*merge.added, *merge.changed, *chain.from_iterable(moves.joined[check.resource].values())}
        left = {found[slot] for slot in chain(asked, merge.removed) if slot in found} if check.kin else ()
        for slot in merge.removed:
            if not store.is_used(slot):
                found.pop(slot, None)
        asked.update(check.also(self._shop, moves))
        if left:
            asked.update(slot for slot, kin in found.items() if kin in left)
        return {slot for slot in asked if store.is_used(slot)}


def checked_rows_of(shop: ShopModel) -> CheckedRows:
    """The findings of a shop; made at the first use."""
    if shop.checked_rows is None:
        shop.checked_rows = CheckedRows(shop)
    return shop.checked_rows
