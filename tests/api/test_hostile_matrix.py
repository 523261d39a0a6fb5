"""Every fault of `hostile_answers` with a list, a single record and two kinds of write, over a real socket: a clear
error that names the operation, no wrong row, nothing twice, the gate is told the truth, and the next request works."""

from __future__ import annotations

import asyncio

import pytest

from petstore_desktop.contract.operations import Op
from tests.support.hostile_answers import FAULTS, Fault, Means
from tests.support.hostile_service import trials

OPS = (Op.PETS_LIST, Op.PET_READ, Op.PET_CREATE, Op.STOCK_CHANGE)


async def tried(op: Op, *names: str, fault: Fault | None = None) -> list[str]:
    async with trials() as trial:
        return [wrong for name in names for wrong in await trial.run(name, op, fault)]


@pytest.mark.parametrize("op", OPS)
def test_no_fault_of_a_server_does_more_than_it_must(op: Op) -> None:
    """All of them with a list and a change; each other one with a record and a creation (`dev.py long hostile` has all
    of them with all operations)."""
    some = {Op.PET_READ: [*FAULTS][::2], Op.PET_CREATE: [*FAULTS][1::2]}
    assert asyncio.run(tried(op, *some.get(op, FAULTS))) == []


@pytest.mark.parametrize(
    ("like", "means"),
    [
        ("no content type", Means.BROKEN),  # a good answer that counts as none
        ("a wrong content type", Means.USELESS),
        ("JSON that stops", Means.HARMLESS),
        ("an empty object", Means.HARMLESS),
    ],
)
def test_the_matrix_notices_what_is_not_as_it_should_be(like: str, means: Means) -> None:
    planted = Fault(means, FAULTS[like].spoil)
    for op in (Op.PETS_LIST, Op.PET_READ):
        assert asyncio.run(tried(op, "planted", fault=planted)) != []
