"""Which of the four resources the fields of a record speak of."""

from __future__ import annotations

import pytest

from petstore_desktop.contract.binding.kinds import Named, path_shape, resource_of_fields
from petstore_desktop.domain.records import Resource

ORDER = ("petId", "quantity", "shippedAt", "isComplete", "status")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("order_id", *ORDER), Resource.ORDERS),
        (("id", *ORDER), Resource.ORDERS),
        (("orderId", "petId", "quantity", "status"), Resource.ORDERS),
        (("petId", "quantity", "status"), Resource.INVENTORY),
    ],
)
def test_what_lies_below_orders_is_an_order_where_it_has_an_id_of_its_own(
    names: tuple[str, ...], found: Resource
) -> None:
    assert resource_of_fields(names, Resource.ORDERS) is found


@pytest.mark.parametrize("path", ["/inventory", "/inventory_items", "/stock_levels"])
def test_stock_is_known_by_the_names_that_services_give_it(path: str) -> None:
    shape = path_shape(path)
    assert (shape.noun, shape.named) == (Resource.INVENTORY, Named.WHOLLY)
