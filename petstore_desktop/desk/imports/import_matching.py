"""Which record a row of a file is about: by its id; without a column of ids by its name, if only one has it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec import field as filled

from petstore_desktop.desk.imports.import_layout import KEY_OF, Layout
from petstore_desktop.desk.imports.import_values import as_text, read_id
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource
from petstore_desktop.domain.sheets import SheetCell

Cells: TypeAlias = Mapping[str, SheetCell]
"""The cells of one row that hold something, by field."""

Identity: TypeAlias = Literal["id", "name-category", "name", "pet", "new"]
"""How rows are matched to records: by id, by name and category, by name, by the pet's name; "new": not at all, each row
is a new record."""

_PETS, _CATEGORIES, _ORDERS, _STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
_BY_NAME: Final[Mapping[Resource, Identity]] = {_PETS: "name", _CATEGORIES: "name", _ORDERS: "new", _STOCK: "pet"}


class Problem(Struct, frozen=True):
    """Why a row cannot be taken: a code, the field whose cell is at fault (empty: the row as a whole), and what fills
    the words."""

    code: str
    field: str = ""
    params: Mapping[str, object] = filled(default_factory=dict[str, object])


def problem_of(error: BadInput, name: str) -> Problem:
    """The same for what a value is refused for."""
    return Problem(error.code, name, error.params)


class Match(Struct, frozen=True):
    """The record that a row is about, None for a new one; what another row must not name again, None for nothing."""

    key: Key | None
    token: Hashable = None


class Matcher:
    """Finds the records of a file's rows in a shop."""

    def __init__(self, shop: ShopModel, layout: Layout) -> None:
        self._shop, self._layout, self._resource = shop, layout, layout.resource
        self._key = KEY_OF[layout.resource]
        self.by: Identity = "id" if self._has(self._key) else _BY_NAME[layout.resource]
        if self.by == "name" and layout.resource is _PETS and (self._has("category") or self._has("category_id")):
            self.by = "name-category"

    def _has(self, name: str) -> bool:
        return self._layout.column(name) >= 0

    @property
    def identifying(self) -> frozenset[str]:
        """The fields whose new value may mean another record."""
        both = frozenset({self._key, "name", "pet", "category", "category_id"})
        return frozenset({self._key, "pet"}) if self.by == "id" else both

    def find(self, cells: Cells) -> Match | Problem:
        """The record of one row."""
        cell = cells.get(self._key)
        if cell is not None:
            return self._numbered(cell)
        if self._resource is _STOCK:
            return self._by_pet(cells)
        if self.by == "id" or self._resource is _ORDERS:
            return Match(self._twin(cells))
        return self._named(cells)

    def _numbered(self, cell: SheetCell) -> Match | Problem:
        number = read_id(cell, self._shop.has_text_ids)
        if isinstance(number, BadInput):
            return problem_of(number, self._key)
        if number in self._shop.stores[self._resource]:
            return Match(number, number)
        lacks = self._shop.may_be(self._resource, number)
        if self._resource is not _STOCK:
            return Problem("id-not-read" if lacks else "no-such-id", self._key, {"id": number})
        if not self._shop.may_be(_PETS, number):
            return Problem("no-such-pet", self._key, {"id": number})
        return Problem("stock-not-read" if lacks else "no-stock-entry", self._key, {"id": number})

    # ---- by name

    def pets_named(self, name: str) -> tuple[int | str | LocalId, ...]:
        """The pets that are called so, whatever the case and accents; exactly so, where several are."""
        return self._exact(_PETS, name, self._pets.get(fold(name.strip()), ()))

    def _exact(
        self, resource: Resource, name: str, found: tuple[int | str | LocalId, ...]
    ) -> tuple[int | str | LocalId, ...]:
        if len(found) > 1:
            found = tuple(key for key in found if not self._is_unsure(resource, key)) or found
        exact = tuple(key for key in found if self._shop.name(resource, key) == name) if len(found) > 1 else ()
        return exact or found

    def _is_unsure(self, resource: Resource, key: Key) -> bool:
        """Whether it is a creation of unknown fate, which one of the others may be."""
        over = self._shop.overlay.of(Ref(resource, key)) if isinstance(key, LocalId) else None
        return over is not None and over.created and over.mark == "uncertain"

    @cached_property
    def _pets(self) -> dict[str, tuple[int | str | LocalId, ...]]:
        return self._shop.keys_by_name(_PETS)

    @cached_property
    def _categories(self) -> dict[str, tuple[int | str | LocalId, ...]]:
        return self._shop.keys_by_name(_CATEGORIES)

    def _by_pet(self, cells: Cells) -> Match | Problem:
        pet = self.pet_of(cells)
        if isinstance(pet, Problem):
            return pet
        if pet not in self._shop.stores[_STOCK]:
            lacks = self._shop.may_be(_STOCK, pet)
            return Problem("stock-not-read" if lacks else "no-stock-entry", "pet", {"id": pet})
        return Match(pet, pet)

    def pet_of(self, cells: Cells) -> int | str | LocalId | Problem:
        """The pet that a row names: by id, else by its name."""
        cell = cells.get("pet_id")
        if cell is not None:
            number = read_id(cell, self._shop.has_text_ids)
            return problem_of(number, "pet_id") if isinstance(number, BadInput) else number
        name = as_text(cells.get("pet", ""))
        if not name:
            return Problem("pet-missing", "pet" if self._has("pet") else "pet_id")
        found = self.pets_named(name)
        if len(found) != 1:
            code = "several-pets" if found else "pet-not-read" if self._shop.may_lack(_PETS) else "no-such-pet"
            return Problem(code, "pet", {"n": len(found), "name": name})
        return found[0]

    def _named(self, cells: Cells) -> Match | Problem:
        name = as_text(cells.get("name", ""))
        if not name.strip():
            return Problem("name-empty", "name")
        if self._resource is _CATEGORIES:
            found = self._exact(_CATEGORIES, name, self._categories.get(fold(name.strip()), ()))
            token: Hashable = fold(name.strip())
        else:
            found = tuple(key for key in self.pets_named(name) if self._fits_category(key, cells))
            kind = as_text(cells.get("category", cells.get("category_id", "")))
            token = (fold(name.strip()), fold(kind.strip()))
        if len(found) > 1:
            return Problem("several-records", "name", {"n": len(found), "name": name})
        return Match(found[0], found[0]) if found else Match(None, token)

    def _fits_category(self, pet: Key, cells: Cells) -> bool:
        own = self._shop.category_of_pet(pet)
        if "category_id" in cells:
            return own == read_id(cells["category_id"], self._shop.has_text_ids)
        if "category" not in cells:
            return True
        return fold((self._shop.name(_CATEGORIES, own) or "").strip()) == fold(as_text(cells["category"]).strip())

    # ---- rows without an id

    def _twin(self, cells: Cells) -> Key | None:
        """A record that has no id either, and looks just like the row: one that is not sent yet, or an order to which
        the service gives none. Without this a file of ours that has such a row would make it a second time."""
        if not self._unnumbered:
            return None
        return self._unnumbered.get(tuple(as_text(cells.get(name, "")) for name in self._compared))

    @cached_property
    def _compared(self) -> tuple[str, ...]:
        return tuple(name for name in self._shop.stores[self._resource].names if self._has(name))

    @cached_property
    def _unnumbered(self) -> dict[tuple[str, ...], Key]:
        """Records without an id by what a file would say of them."""
        store = self._shop.stores[self._resource]
        slots = (
            (slot for slot in store.slots() if not isinstance(store.keys[slot], int | str)) if self._compared else ()
        )
        return {tuple(self._text(slot, name) for name in self._compared): store.keys[slot] for slot in slots}

    def _text(self, slot: int, name: str) -> str:
        value = self._shop.shown(self._resource, slot, name)
        return "" if value is None or isinstance(value, LocalId) else as_text(value)
