"""The records read before a pet is deleted, because they may go with it. Pure."""

from __future__ import annotations

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.records import ContentId, Ref, Resource


def dependents_of(ref: Ref, contract: Contract) -> tuple[Ref, ...]:
    """The reads that show what a deletion removes: its orders, by their list, which may take long, then its stock."""
    if ref.resource is not Resource.PETS:
        return ()
    stock = contract.offers(Resource.INVENTORY, Verb.READ) or contract.offers(Resource.INVENTORY, Verb.LIST)
    listed = contract.offers(Resource.ORDERS, Verb.LIST)
    orders = (Ref(Resource.ORDERS, ContentId("")),) if listed else ()
    return orders + ((Ref(Resource.INVENTORY, ref.key),) if stock else ())
