"""Lists whose records have texts for ids beside the same lists with numbers: bytes of a row, and the first sort by id.

Each run fills the stores of a made-up shop as a start does, without a window. The ids that are texts are UUIDs.
"""

from __future__ import annotations

import gc
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from operator import itemgetter
from uuid import UUID, uuid5

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.model.shop_model import LINKED
from petstore_desktop.desk.reduce import show_read, take_block
from petstore_desktop.domain.records import FieldValue, Key, Resource, RowBlock
from petstore_desktop.sync.wire.events import MirrorRead
from tests.bench._busy import busy_core
from tests.bench._grid_rows import blocks
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.desk.shopkit import new_desk

RUNS = 3
PETS = 100_000
BLOCK = 2_000
RATIO = 2.0
"""How much more a row with texts for ids may cost."""
_TARGETS = {Resource.PETS: Resource.CATEGORIES, Resource.ORDERS: Resource.PETS}
_SPACES = {resource: UUID(int=number) for number, resource in enumerate(Resource)}


def uuid_of(resource: Resource, key: FieldValue | Key) -> str | None:
    """Return the UUID that stands for a number."""
    return None if key is None else str(uuid5(_SPACES[resource], str(key)))


def as_number(_: Resource, key: FieldValue | Key) -> int | None:
    """Return the number itself, as an object of its own."""
    return None if key is None else int(str(key))


def renamed(block: RowBlock, name: Callable[[Resource, FieldValue | Key], str | int | None]) -> RowBlock:
    """Return the rows with other ids, by which they rise as what is kept on a disk does."""
    own = Resource.PETS if block.resource is Resource.INVENTORY else block.resource
    keys = [key for key in (name(own, key) for key in block.keys) if key is not None]
    columns = dict(block.columns)
    if block.resource in _TARGETS:
        column = LINKED[block.resource]
        columns[column] = [name(_TARGETS[block.resource], value) for value in columns[column]]
    order = [place for place, _ in sorted(enumerate(map(str, keys)), key=itemgetter(1))]
    if name is as_number:
        order = list(range(len(keys)))
    told = {field: [values[place] for place in order] for field, values in columns.items()}
    return RowBlock(block.resource, [keys[place] for place in order], told, block.seen, {})


def parts(block: RowBlock) -> Iterator[RowBlock]:
    """Yield the rows as a reader of the disk does, with texts of their own."""
    for start in range(0, len(block), BLOCK):
        end = start + BLOCK
        keys = [f"{key} "[:-1] if isinstance(key, str) else key for key in block.keys[start:end]]
        columns = {
            name: [f"{value} "[:-1] if isinstance(value, str) else value for value in values[start:end]]
            for name, values in block.columns.items()
        }
        yield RowBlock(block.resource, keys, columns, block.seen[start:end], {})


def filled(count: int, name: Callable[[Resource, FieldValue | Key], str | int | None]) -> tuple[Desk, float]:
    """Return a desk with so many pets and all that belongs to them, and the bytes that it took for each pet."""
    whole = [renamed(block, name) for resource in Resource for block in blocks(count, resource, 10 * count)]
    desk = new_desk()
    gc.collect()
    tracemalloc.start(1)
    try:
        for block in whole:
            for part in parts(block):
                take_block(desk, part)
            show_read(desk, MirrorRead(desk.connection, block.resource, len(block), 1.0))
        desk.tables[Resource.PETS].open()
        del part
        gc.collect()
        return desk, tracemalloc.get_traced_memory()[0] / count
    finally:
        tracemalloc.stop()


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "Lists with texts for ids.", RUNS, PETS)
    found = Report("ids", runs=args.runs)
    ratios: list[float] = []
    with busy_core(args.busy):
        for number in range(args.runs):
            say(f"{number + 1}/{args.runs}")
            taken: list[float] = []
            for word, name in (("numbers", as_number), ("texts", uuid_of)):
                desk, size = filled(args.pets, name)
                taken.append(size)
                begun = time.thread_time()
                desk.tables[Resource.PETS].sort_by("id")
                sorted_ = (time.thread_time() - begun) * 1000
                for what, unit, value in (("bytes of a pet", "B", size), ("first sort by id", "ms", sorted_)):
                    one = found.metrics.setdefault(f"{word}: {what}", Metric(unit, []))
                    found.metrics[f"{word}: {what}"] = Metric(unit, [*one.values, value])
            ratios.append(taken[1] / taken[0])
    found.goals["a pet with texts for ids, of one with numbers"] = Goal(RATIO, max(ratios))
    for name, metric in found.metrics.items():
        say(f"  {name:40}{max(metric.values):9.1f} {metric.unit}")
    say(f"  {'ratio of the bytes':40}{max(ratios):9.2f}")
    return found.finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
