"""Values that are equal though one of their fields differs: which one is said by its name, wherever it stands."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.contract.binding.load import default
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.quota import Window


def test_what_does_not_matter_is_left_out_and_all_else_tells() -> None:
    contract, window, price = default(), Window(60, 5), Price(3)
    assert contract == replace(contract, read_at=9.0, survey=None)
    assert contract != replace(contract, title="another")
    assert window == replace(window, returns=((9.0, 1),))
    assert window != replace(window, others=1)
    assert price == replace(price, ends={"batch": 2.0})
    assert price != replace(price, conflicts=1)
    assert hash(window) == hash(replace(window, returns=((9.0, 1),)))
