"""Values that are equal though one of their fields differs: which one is said by its name, wherever it stands."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.contract.binding.load import default
from petstore_desktop.domain.batches import Price


def test_what_does_not_matter_is_left_out_and_all_else_tells() -> None:
    contract, price = default(), Price(3)
    assert contract == replace(contract, read_at=9.0, survey=None)
    assert contract != replace(contract, title="another")
    assert price == replace(price, ends={"batch": 2.0})
    assert price != replace(price, conflicts=1)
