"""Keeps what is known of the service in step with what its answers say of an operation's end."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.contract.lifecycle.sunset import with_operation
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.wire.events import ContractRead


class Endings:
    """`keep` puts a contract where the next start finds it. Listens from when it is made."""

    def __init__(self, context: Context, keep: Callable[[Contract], object]) -> None:
        self._context = context
        self._keep = keep
        context.client.tell_endings(self._moved)

    def _moved(self, operation: Operation) -> None:
        context = self._context
        contract = context.contract = with_operation(context.contract, operation)
        context.client.use_contract(contract)
        context.tell(ContractRead(context.connection, contract))
        self._keep(contract)
