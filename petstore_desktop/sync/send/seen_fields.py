"""What a write rests on, compared with what is there. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from petstore_desktop.contract.params import plain
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.deletions import EXTRA, ID, extra_of, extra_text, moved_extra
from petstore_desktop.domain.records import FIELDS, LocalId, Record, resource_of


def moved(record: Record, base: Fields, wanted: Fields, alone: Collection[str]) -> Fields:
    """Fields in which the service has neither what the person saw nor what the person wants. `alone`: see
    `Contract.read_alone`."""
    known = [name for name in base if name in (*FIELDS[resource_of(record)], ID)]
    now = {name: getattr(record, name) for name in known}
    theirs = {
        name: now[name]
        for name in known
        if not isinstance(seen := base[name], LocalId) and now[name] != seen and now[name] != wanted.get(name, seen)
    }
    extra = EXTRA in base and moved_extra(extra_of(base[EXTRA]), record.extra, alone)
    return {**theirs, EXTRA: extra_text(record.extra)} if extra else theirs


def emptied(record: Record, wanted: Fields, unseen: Iterable[str]) -> str:
    """The fields that a write of the whole record would empty, by name: of those that a list does not show what it did
    not show."""
    shown = [name for name in FIELDS[resource_of(record)] if getattr(record, name) is not None]
    known = {plain(name) for name in (*shown, *record.extra, *wanted)}
    return ", ".join(name for name in unseen if plain(name) not in known)
