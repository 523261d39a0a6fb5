"""Tells a plain model what the real mirror is shown, and a world what is committed."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

from petstore_desktop.domain.counts import NO_GAPS
from petstore_desktop.domain.records import Key, Ref, Resource, Row
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.rows import key_of
from petstore_desktop.store.sqlite.database import Database
from tests.sync.past.plain_model import Model, fields_of


class Watching(Protocol):
    """Whom the spies tell."""

    model: Model
    died: str
    """The file after whose commit the program was killed; what it still did then is on no disk."""

    def caught_up(self) -> None: ...

    def committed(self, name: str) -> None: ...


@contextmanager
def spied(world: Watching) -> Generator[None]:
    """While this lasts, all that any mirror is shown is told."""
    methods = {
        (Mirror, "put"): _put(world),
        (Mirror, "remove"): _remove(world),
        (Mirror, "finish_walk"): _finish_walk(world),
        (Mirror, "confirm_walk"): _confirm_walk(world),
        (ShopHistory, "catch_up"): _catch_up(world),
        (Database, "transaction"): _transaction(world),
    }
    with ExitStack() as wrapped:
        for (owner, name), method in methods.items():
            wrapped.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, method)
        yield


def _put(world: Watching) -> Any:
    original = Mirror.put

    def put(mirror: Mirror, resource: Resource, rows: Sequence[Row], *more: Any, **named: Any) -> tuple[Row, ...]:
        dead = world.died
        news = original(mirror, resource, rows, *more, **named)
        if dead:
            return news
        world.model.put(resource, news)
        for row in rows:
            if _has(mirror, Ref(resource, row.key), row):
                world.model.see(Ref(resource, row.key), row.seen_at)
        return news

    return put


def _remove(world: Watching) -> Any:
    original = Mirror.remove

    def remove(mirror: Mirror, ref: Ref, *more: Any, **named: Any) -> bool:
        dead = world.died
        removed = original(mirror, ref, *more, **named)
        if not dead and mirror.get(ref) is None:
            world.model.gone(ref)
        return removed

    return remove


def _finish_walk(world: Watching) -> Any:
    original = Mirror.finish_walk

    def finish_walk(mirror: Mirror, resource: Resource, walk: int, *more: Any, **named: Any) -> tuple[Key, ...]:
        there, dead, stale = mirror.walk(resource), world.died, resource in world.model.stale
        removed = original(mirror, resource, walk, *more, **named)
        if not dead and there is not None and there.number == walk:
            for key in removed:
                world.model.gone(Ref(resource, key))
            if (
                _is_told(world.died, removed, stale)
                and named.get("gaps", NO_GAPS).cut_at is None
                and named.get("sweep", True)
            ):
                _walked(world.model, mirror, resource, named)
        return removed

    return finish_walk


def _is_told(died: str, removed: Collection[Key], stale: bool) -> bool:
    """Whether the history heard of the end before the program was killed: after the mirror has committed, and not
    where a whole list is first compared, in commits that follow."""
    return not died or (died == "history.db" and not removed and not stale)


def _walked(model: Model, mirror: Mirror, resource: Resource, how: Mapping[str, Any]) -> None:
    rows = dict(rows_of(mirror, resource))
    asked = frozenset[Key]() if not how.get("statuses") else frozenset(ref.key for ref in model.shown)
    model.read_whole(resource, rows, asked | rows.keys())


def _confirm_walk(world: Watching) -> Any:
    original = Mirror.confirm_walk

    def confirm_walk(mirror: Mirror, resource: Resource, walk: int, sequence: int, as_of: float) -> None:
        there, dead, stale = mirror.walk(resource), world.died, resource in world.model.stale
        original(mirror, resource, walk, sequence, as_of)
        if dead or there is None or there.number != walk:
            return
        for ref in [ref for ref in world.model.shown if ref.resource is resource]:
            world.model.see(ref, as_of)
        if _is_told(world.died, (), stale) and mirror.facts(resource).gaps.cut_at is None:
            _walked(world.model, mirror, resource, {})

    return confirm_walk


def _catch_up(world: Watching) -> Any:
    original = ShopHistory.catch_up

    def catch_up(history: ShopHistory, mirror: Mirror) -> None:
        original(history, mirror)
        world.caught_up()

    return catch_up


def _transaction(world: Watching) -> Any:
    original = Database.transaction

    @contextmanager
    def transaction(database: Database) -> Iterator[Any]:
        with original(database) as connection:
            yield connection
        world.committed(database.path.name)

    return transaction


def _has(mirror: Mirror, ref: Ref, row: Row) -> bool:
    there = mirror.get(ref)
    return there is not None and fields_of(ref.resource, there.record) == fields_of(ref.resource, row.record)


def rows_of(mirror: Mirror, resource: Resource) -> list[tuple[Key, Any]]:
    """Every record of a list."""
    keys = [key_of(key) for (key,) in mirror.rows(f"SELECT key FROM {resource.value}")]
    found = [(key, mirror.get(Ref(resource, key))) for key in keys]
    return [(key, row.record) for key, row in found if row is not None]
