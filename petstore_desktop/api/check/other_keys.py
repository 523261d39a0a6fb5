"""Which security scheme of the document a key is for, where the one that was taken refuses it: found with one read for
each that the document has, at the same address, and never where the service has asked to wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from petstore_desktop.api.check.findings import Findings, Wanted
from petstore_desktop.contract.key_choice import main_key_beside, with_main_key
from petstore_desktop.contract.model import Contract, KeyPlace
from petstore_desktop.contract.operations import MAIN_KEY, Op
from petstore_desktop.domain.checks import About
from petstore_desktop.domain.commands import ServiceKey
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Forbidden,
    KeyRejected,
    NotFound,
    NotYet,
    Refused,
    ServiceFailed,
    ShopError,
)

SAYS_NO = (Forbidden, NotFound, NotYet, Refused, AnswerUnusable, ServiceFailed)
"""The service is there, and says no to this one question."""


def with_key_left(contract: Contract, wanted: Wanted) -> Contract:
    """The contract with the main key for the scheme that has none yet, where the further keys leave one over."""
    return with_main_key(contract, main_key_beside(contract, wanted.further)) if wanted.choose_key else contract


def other_places(wanted: Wanted, contract: Contract, op: Op, error: ShopError) -> tuple[Contract, ...]:
    """The contracts to try after this refusal of a read, each with the key in another place; none where the key's place
    was decided, or a person has given several keys."""
    operation = contract.operations.get(op)
    decided = not wanted.choose_key or wanted.known is not None or MAIN_KEY in contract.by_hand
    if decided or not wanted.key or wanted.further or operation is None or operation.key is not None:
        return ()
    if error.params.get("key") or not isinstance(error, KeyRejected | Forbidden):
        return ()
    return tuple(with_main_key(contract, place.scheme) for place in contract.alternatives)


async def read_with_first(
    others: tuple[Contract, ...], use: Callable[[Contract], None], read: Callable[[], Awaitable[str]]
) -> str | None:
    """What `read` returns with the first of these contracts that the service answers; None if it answers none."""
    for other in others:
        use(other)
        with suppress(KeyRejected, *SAYS_NO):
            return await read()
    return None


def key_places(contract: Contract, *, unless_said: bool = False) -> dict[str, object]:
    """Where the main keys travel, as a finding has it: header or query, and the name there. `unless_said`: only where
    that does not follow from the document alone."""
    if unless_said and MAIN_KEY not in contract.by_hand:
        return {}
    main = (contract.key, *contract.beside)
    return {"sent": tuple((one.place.value, one.name) for one in main if one.place is not KeyPlace.NONE)}


def key_names(contract: Contract, names: str) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """These further keys, each with where it travels."""
    known = {key.name: key for key in contract.keys}
    keys = ((name, known.get(name)) for name in names.split(", ") if name)
    return {"keys": tuple((name, key.place if key else "", key.parameter if key else "") for name, key in keys)}


def tell_lacking(found: Findings, keys: tuple[ServiceKey, ...], wanted: Wanted) -> None:
    """Tell which of these keys were not given."""
    contract = Contract({}, keys=keys)
    named = contract.named_keys(wanted.further)
    names = ", ".join([key.name for key in keys if key.name not in named][1:])
    if wanted.key and names:
        found.bad(About.KEY, "key-missing", None, key=names, keys=key_names(contract, names)["keys"])
