"""Reads a profile: the contract that it says, with nothing guessed. What cannot be meant is refused by its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar, cast

from petstore_desktop.contract.model import FROM_PROFILE, Contract, KeyPlacement, Operation
from petstore_desktop.contract.operations import OPS, SAME, VERBS, FieldMap, Op, Verb
from petstore_desktop.contract.profile.values import (
    BODY,
    GUARDED,
    OF_ALL,
    OF_LISTS,
    USUAL,
    NotSo,
    Table,
    check_path,
    field_names,
    key_of,
    line,
    operation_of,
    places_of,
    said_of,
    service_key_of,
    table,
    text,
    texts,
)
from petstore_desktop.contract.profile.writing import FORMAT, defaults, hole_beside
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource

MOST_BYTES: Final = 256 * 1024
_MOST_KEYS: Final = 50
_HEAD: Final = frozenset(
    {"profile", "title", "servers", "within", "key", "beside", "alternatives", "keys", "lists", "counts"}
    | {resource.value for resource in Resource}
)
_OF_RESOURCE: Final = frozenset(
    {"fields", "unsure", "statuses", *OF_ALL, *BODY, *GUARDED, *(verb.value for verb in Verb)}
)
_OF_OPERATION: Final = frozenset({"call", "as_text", "body_fields", "required", "types", *USUAL})
_LONG: Final = ("body_fields", "required", "types")
_HEADER: Final = re.compile(r"\s*\[+\s*([\w-]+)\s*[].]")
_T = TypeVar("_T")


def contract_of(data: bytes) -> Contract:
    """The contract that a profile says. Raises DocumentUnusable (`profile-unusable`; `where` in it, and `why`)."""
    if len(data) > MOST_BYTES:
        raise _unusable("file", f"it has more than {MOST_BYTES // 1024} KB")
    try:
        words = data.decode("utf-8-sig").replace("\r\n", "\n")
        said: Mapping[str, object] = tomllib.loads(words)
    except UnicodeDecodeError:
        raise _unusable("file", "it is no text in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        why = "values stand in one another too deep" if isinstance(error, RecursionError) else str(error)
        raise _unusable("file", f"it is no TOML: {why}") from None
    return _Reading(said, words.split("\n")).contract()


class _Reading:
    """One profile. Every step names the place where it is."""

    def __init__(self, said: Mapping[str, object], lines: Sequence[str]) -> None:
        self._said, self._lines = said, lines
        self._lists: Mapping[str, Any] = {}

    def contract(self) -> Contract:
        """All of it. Raises DocumentUnusable."""
        get = self._get
        self._known("", self._said, _HEAD)
        get("profile", _format)
        self._lists = get("lists", table, {})
        self._known("lists", self._lists, frozenset(OF_LISTS))
        operations: dict[Op, Operation] = {}
        fields: dict[Resource, FieldMap] = {}
        statuses: dict[Resource, tuple[str, ...]] = {}
        for resource in Resource:
            own = get(resource.value, table, None)
            if own is not None:
                self._resource(resource, own, operations, fields, statuses)
        if not operations:
            raise _unusable("file", "it names no operation")
        counts = get("counts", table, None)
        return Contract(
            {op: operations[op] for op in Op if op in operations},
            get("key", key_of, KeyPlacement()),
            FROM_PROFILE,
            get("title", text, ""),
            servers=get("servers", texts, ()),
            within=get("within", _within, ""),
            fields=fields,
            statuses=statuses,
            beside=get("beside", _each(key_of), ()),
            alternatives=get("alternatives", _each(key_of), ()),
            keys=get("keys", _each(service_key_of), ()),
            counts=None if counts is None else self._operation("counts", Op.INVENTORY_LIST, {**USUAL}, counts),
        )

    def _resource(
        self,
        resource: Resource,
        own: Mapping[str, object],
        operations: dict[Op, Operation],
        fields: dict[Resource, FieldMap],
        statuses: dict[Resource, tuple[str, ...]],
    ) -> None:
        place = resource.value
        self._known(place, own, _OF_RESOURCE)
        verbs = [verb for verb in Verb if verb.value in own]
        if verbs:
            paths = self._at(f"{place}.fields", lambda: places_of(resource, own.get("fields", {})))
            guessed = self._at(f"{place}.unsure", lambda: field_names(resource, own.get("unsure", ())))
            fields[resource] = FieldMap(paths, True, guessed)
        for verb in verbs:
            op = OPS.get((resource, verb))
            if op is None:
                raise _unusable(f"{place}.{verb.value}", "the program has no such operation")
            whole = _is_whole(own[verb.value])
            usual = self._at(place, partial(defaults, verb, cast("Table", own), self._lists, whole=whole))
            if op is Op.STOCK_READ:
                usual = {**usual, "hole": hole_beside(own[verb.value], own.get(Verb.CHANGE.value))}
            reads = fields[resource]
            operations[op] = self._of(f"{place}.{verb.value}", op, usual, own[verb.value], operations, reads)
        words = self._at(f"{place}.statuses", lambda: texts(own.get("statuses", ())))
        if words and verbs:
            statuses[resource] = words

    def _of(
        self,
        place: str,
        op: Op,
        usual: Mapping[str, object],
        said: object,
        before: Mapping[Op, Operation],
        reads: FieldMap,
    ) -> Operation:
        """One operation; `before`: those that were read already; `reads`: where answers have the fields."""
        own = {"call": said} if isinstance(said, str) else self._at(place, lambda: table(said))
        pets = before.get(Op.PETS_LIST)
        if own.get("from_pets"):
            if op is not Op.CATEGORIES_LIST or pets is None:
                raise _unusable(f"{place}.from_pets", "only categories are read from the list of pets")
            usual = said_of(pets)
        return self._operation(place, op, usual, own, reads)

    def _operation(
        self, place: str, op: Op, usual: Mapping[str, object], own: Mapping[str, object], reads: FieldMap = SAME
    ) -> Operation:
        self._known(place, own, _OF_OPERATION)
        usual = {name: value for name, value in usual.items() if name not in _LONG} if "body" in own else usual
        said = {**usual, **own}
        if "call" not in said:
            raise _unusable(place, 'it needs a call, such as "GET /pets"')
        made = self._at(place, lambda: operation_of(op, said, reads))
        if VERBS[op] is Verb.CHANGE and made.names_in_body and not made.takes_id:
            raise _unusable(f"{place}.call", "its path has no {hole}, and its body no place for the record's id")
        return made

    # ------------------------------------------------------------ places

    def _get(self, name: str, read: Callable[[Any], _T], missing: Any = ...) -> Any:
        if name not in self._said and missing is not ...:
            return missing
        return self._at(name, lambda: read(self._said.get(name)))

    def _at(self, place: str, read: Callable[[], _T]) -> _T:
        try:
            return read()
        except NotSo as error:
            raise _unusable(place, self._line(place, error.word) + str(error)) from None

    def _known(self, place: str, said: Mapping[str, object], names: frozenset[str]) -> None:
        strange = sorted(said.keys() - names)
        if strange:
            where = f"{place}.{strange[0]}" if place else strange[0]
            raise _unusable(where, f"{self._line(where, strange[0])}nothing is called so in a profile")

    def _line(self, place: str, word: str) -> str:
        """`line 7: `, the one that has this word there, as a name if there are several; empty if that is not sure."""
        table, own = "", place.partition(".")[0]
        name = rf"(?<![\w.-]){re.escape(word)}(?![\w.-])"
        found: list[int] = []
        named: list[int] = []
        for number, words in enumerate(self._lines if word else (), 1):
            header = _HEADER.match(words)
            table = header[1] if header else table
            if table in ("", own):
                found += [number] if re.search(name, words) else []
                named += [number] if re.search(rf"{name}[\"']?\s*=", words) else []
        sure = next((numbers[0] for numbers in (named, found) if len(numbers) == 1), None)
        return "" if sure is None else f"line {sure}: "


def _is_whole(said: object) -> bool:
    return isinstance(said, dict) and cast("dict[str, object]", said).get("whole") is True


def _each(read: Callable[[object], _T]) -> Callable[[object], tuple[_T, ...]]:
    def all_(value: object) -> tuple[_T, ...]:
        if not isinstance(value, list) or len(found := cast("list[object]", value)) > _MOST_KEYS:
            raise NotSo(f"a list of at most {_MOST_KEYS} is wanted")
        return tuple(map(read, found))

    return all_


def _format(value: object) -> None:
    if value != FORMAT or isinstance(value, bool):
        raise NotSo(f"`profile = {FORMAT}` is wanted: this program reads no other")


def _within(value: object) -> str:
    found = line(value)
    if found:
        check_path(found)
    return found


def _unusable(where: str, why: str) -> DocumentUnusable:
    return DocumentUnusable("profile-unusable", where=where[:100], why=why[:300])
