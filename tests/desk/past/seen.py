"""Makes seen changes for tests."""

from __future__ import annotations

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import FieldValue, Key, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who

HERE, ELSEWHERE = Who.HERE, Who.ELSEWHERE


def changed(
    resource: Resource, key: Key, field: str, before: FieldValue, after: FieldValue, title: str = "", **more: object
) -> SeenChange:
    """A field got another value. `who` (elsewhere) and `at` (a number of seconds) may be given."""
    who, at = more.get("who", ELSEWHERE), more.get("at", 100.0)
    assert isinstance(who, Who) and isinstance(at, float)
    return SeenChange(Ref(resource, key), What.CHANGED, who, field, before, after, at - 60, at, {}, title)


def status(key: Key, before: str | None, after: str | None, title: str = "Koi", **more: object) -> SeenChange:
    """A pet got another status."""
    return changed(Resource.PETS, key, "status", before, after, title, **more)


def stock(key: Key, before: int, after: int, title: str = "Koi", **more: object) -> SeenChange:
    """A pet got another stock."""
    return changed(Resource.INVENTORY, key, "quantity", before, after, title, **more)


def came(
    resource: Resource, key: Key, title: str = "", *, who: Who = ELSEWHERE, at: float = 100.0, **record: FieldValue
) -> SeenChange:
    """A record is new."""
    return _whole(What.NEW, resource, key, title, who, at, record)


def went(
    resource: Resource, key: Key, title: str = "", *, who: Who = ELSEWHERE, at: float = 100.0, **record: FieldValue
) -> SeenChange:
    """A record is gone."""
    return _whole(What.GONE, resource, key, title, who, at, record)


def _whole(what: What, resource: Resource, key: Key, title: str, who: Who, at: float, record: Fields) -> SeenChange:
    return SeenChange(Ref(resource, key), what, who, "", None, None, at - 60, at, record, title)
