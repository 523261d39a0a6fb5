"""Checks of connections for the window: they run in threads of their own, and are told in the window's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.api.check.findings import Wanted
from petstore_desktop.contract.operations import MAIN_KEY, PARAMETER
from petstore_desktop.domain.checks import About, Check, CheckReport
from petstore_desktop.domain.errors import KeyringError, ShopError, Unreachable
from petstore_desktop.regular_files import named_path
from petstore_desktop.session.checking import (
    Checking,
    CheckOutcome,
    keep_contract,
    keep_keyless,
    not_asked,
    wanted_of,
    write_down,
)
from petstore_desktop.shop.background import Background
from petstore_desktop.sync.wire.events import RequestsSent

if TYPE_CHECKING:
    from petstore_desktop.api.check.checks import Learnt
    from petstore_desktop.api.gate.admission import Admission
    from petstore_desktop.api.gate.registry import GateRegistry
    from petstore_desktop.clock import Clock
    from petstore_desktop.data_folder import Places
    from petstore_desktop.domain.checks import ConnectionInput
    from petstore_desktop.domain.quota import SentRequest
    from petstore_desktop.session.session import Session

Tell = Callable[[Check], None]
Done = Callable[[CheckReport], None]


class ConnectionChecks:
    """Checks of connections that are not kept yet. What they sent, and learnt, is kept until there is one."""

    def __init__(self, places: Places, clock: Clock, registry: GateRegistry[Admission]) -> None:
        """To be made in the window's thread. `gatehouse`: the program's, so that a key that a shop at work uses too has
        one gate."""
        self._places, self._clock, self._background, self._registry = places, clock, Background(), registry
        self._sent: dict[str, list[SentRequest]] = {}
        self._learnt: dict[object, Learnt] = {}

    def check(self, inputs: ConnectionInput, tell: Tell, done: Done) -> Callable[[], None]:
        """See WelcomePort."""
        said = inputs.plan is not None and (inputs.plan.name or inputs.plan.per_minute or inputs.plan.per_day)
        plan = "" if inputs.plan is None or not said else inputs.plan.name or "own"
        own = inputs.document or None, str(named_path(inputs.ca_file)) if inputs.ca_file else None
        wanted = Wanted(inputs.url, inputs.key, *own, plan, bindings_of(inputs), further=inputs.further)
        wanted = replace(wanted, choose_key=True)
        told = _told_in_window(self._background, tell)
        checking = Checking(self._places, wanted, self._clock, told, registry=self._registry)

        def ended(outcome: CheckOutcome) -> None:
            self._sent.setdefault(inputs.url, []).extend(outcome.sent)
            if outcome.learnt is not None:
                self._learnt[_marks(inputs)] = outcome.learnt
            done(outcome.report)

        self._background.run(checking.run, ended)
        return checking.cancel

    def key_choice(self, inputs: ConnectionInput) -> dict[str, str]:
        """Which security scheme the key is for, where the check has found that out."""
        learnt = self._learnt.get(_marks(inputs))
        chosen = "" if learnt is None else learnt.contract.by_hand.get(MAIN_KEY, "")
        return {MAIN_KEY: chosen} if chosen else {}

    def kept(self, inputs: ConnectionInput, slug: str) -> None:
        """Store the result for the new connection: its requests count, and its contract is known. Blocks."""
        write_down(self._places, slug, self._sent.pop(inputs.url, ()), self._clock.now().wall)
        learnt = self._learnt.pop(_marks(inputs), None)
        keep_contract(self._places, slug, inputs.url, learnt)


def check_open(session: Session, tell: Tell, done: Done) -> Callable[[], None]:
    """Check the connection that is open, through the gate that it has. Without a key only its document is asked
    for, which may say that none is wanted. To be called in the window's thread."""
    background = Background()
    stopped = False
    checking: list[Checking] = []

    def work() -> CheckReport:
        try:
            key, missing = _key_of(session)
        except Unreachable as error:
            return not_asked(About.ADDRESS, error, "demo-failed", tell_)
        one = _checking_of(session, key, missing, tell_)
        checking.append(one)
        if stopped:
            one.cancel()
        outcome = one.run()
        _note(session, outcome)
        if missing is not None:
            keep_keyless(session.places, session.connection.slug, session.connection.url, outcome.learnt)
        return outcome.report

    def stop() -> None:
        nonlocal stopped
        stopped = True
        for one in checking:
            one.cancel()

    tell_ = _told_in_window(background, tell)
    background.run(work, done)
    return stop


def bindings_of(inputs: ConnectionInput) -> dict[str, str]:
    """The typed values as they are kept among what is bound by hand."""
    return {PARAMETER + name: value for name, value in inputs.values.items()}


def _marks(inputs: ConnectionInput) -> object:
    """What tells which service was learnt of."""
    return inputs.url, inputs.document, inputs.ca_file, tuple(sorted(inputs.values.items()))


def _told_in_window(background: Background, tell: Tell) -> Tell:
    return lambda check: background.call(lambda: tell(check))


def _key_of(session: Session) -> tuple[str, ShopError | None]:
    """The key, or empty and why there is none. Raises Unreachable."""
    try:
        key = session.read_key()
    except KeyringError as error:
        return "", error
    return key or "", None if key else ShopError("no-key")


def _checking_of(session: Session, key: str, missing: ShopError | None, tell: Tell) -> Checking:
    wanted = replace(
        wanted_of(session.connection, key, session.further),
        url=session.address,
        origin=session.origin,
        gate_key=session.gate_key(key),
        missing=missing,
        known=session.contract,
        search=False,  # a service that asks for a key elsewhere would lock the gate of this one
    )
    return Checking(session.places, wanted, session.clock, tell, registry=session.gates_here)


def _note(session: Session, outcome: CheckOutcome) -> None:
    """Add the sent requests to the window's list, and to the file if the open connection allows it."""
    if outcome.sent:
        session.events.put(RequestsSent(session.name, outcome.sent))
        write_down(session.places, session.connection.slug, outcome.sent, session.clock.now().wall)
