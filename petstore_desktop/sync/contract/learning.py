"""Asks the service what it offers, until that is known: nothing is sent, and nothing refused, on a guess.
What answers say of an operation's end is added to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from petstore_desktop.api.client import Client
from petstore_desktop.contract.lifecycle.sunset import with_operation
from petstore_desktop.contract.model import FROM_PROFILE, Contract
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.errors import DocumentUnusable, KeyRejected, RateLimited, ShopError, Unreachable
from petstore_desktop.domain.records import Resource
from petstore_desktop.off_loop import off_loop
from petstore_desktop.sync.shared.connectivity import came_to_nothing
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.initial_load import ORDER
from petstore_desktop.sync.wire.events import ContractRead, LoadFailed, Trouble


async def learn(context: Context, ask: Callable[[Client, bool], Awaitable[Contract]], keyed: asyncio.Event) -> None:
    """Load the service's contract, or the default one, into the context. Until then the lists are reported as failed,
    and the default contract as likely. `ask` asks once, for the first time or (True) again after a failure; `keyed` is
    set while there is a key to ask with."""
    again = False
    while True:
        await keyed.wait()
        try:
            contract = await ask(context.client, again)
        except ShopError as error:
            context.link.failed(error)
            if _is_final(error, context):
                return
            if came_to_nothing(error):
                _tell_failed(context, error, first=not again)
                again = True
            continue
        context.link.answered()
        before = context.contract
        context.use_contract(contract)
        if contract.refused is not None:
            context.tell(Trouble(context.connection, contract.refused))
        _tell_differences(context, before, contract)
        return


def _tell_differences(context: Context, before: Contract, contract: Contract) -> None:
    """Say once how the service's document differs from the profile that is followed, before anything is written."""
    if contract.source == FROM_PROFILE and contract.warnings and contract.warnings != before.warnings:
        said = DocumentUnusable("profile-differs", differences="; ".join(contract.warnings))
        context.tell(Trouble(context.connection, said))


def _is_final(error: ShopError, context: Context) -> bool:
    """Whether to ask again brings nothing: the document cannot be read, and the default one serves."""
    if isinstance(error, KeyRejected):
        context.key_wanted(error)
        return False
    if came_to_nothing(error) or isinstance(error, RateLimited):
        return False
    if isinstance(error, Unreachable):
        return True  # the gate has closed for good
    context.tell(Trouble(context.connection, error))
    return True


def _tell_failed(context: Context, error: ShopError, *, first: bool) -> None:
    if first:
        context.tell(ContractRead(context.connection, context.contract))
    for resource in ORDER:
        context.tell(LoadFailed(context.connection, resource, error))


async def bind_anew(
    context: Context, bind: Callable[[], Contract | None], learn: Callable[[Client, bool], Awaitable[Contract]]
) -> tuple[Resource, ...]:
    """Follow what a person bound by hand from now on; the resources whose lists come from somewhere else since. `bind`
    blocks, and gives None where the service has to be asked; what goes wrong is told, and all stays as it was."""
    before = context.contract
    try:
        contract = await off_loop(bind, f"contract of {context.connection}") or await learn(context.client, True)
        if contract.refused is not None:
            raise contract.refused
    except ShopError as error:
        context.link.failed(error)
        context.tell(Trouble(context.connection, error))
        return ()
    context.use_contract(contract)
    context.tell(ContractRead(context.connection, contract))
    lists = ((resource, contract.find(resource, Verb.LIST)) for resource in ORDER)
    moved = {one for one in ORDER if contract.map(one) != before.map(one)}
    return tuple(one for one, found in lists if found and (one in moved or found != before.find(one, Verb.LIST)))


def follow_answers(context: Context, keep: Callable[[Contract], object]) -> None:
    """From now on, take over what answers say of an operation's end, and what the first records show of their fields.
    `keep` puts a contract where the next start finds it."""

    def adopt(contract: Contract) -> None:
        context.use_contract(contract)
        context.tell(ContractRead(context.connection, contract))
        keep(contract)

    context.client.gateway.notices.tell = lambda operation: adopt(with_operation(context.contract, operation))
    context.client.tell_learned = adopt
