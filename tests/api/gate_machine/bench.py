"""The gate on the bench: state, clock and chance in one hand, effects sorted as they come."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate.admission import Admission
from petstore_desktop.api.gate.memory import restore
from petstore_desktop.api.gate.model import (
    MAIN,
    Admit,
    Answered,
    Ask,
    Effect,
    Event,
    GateState,
    NoAnswer,
    Persist,
    Show,
    Tick,
)
from petstore_desktop.api.gate.registry import SharedGate
from petstore_desktop.api.headers.limit_headers import AnswerFacts, Limits, WindowFacts
from petstore_desktop.clock import Clock
from petstore_desktop.domain.quota import GatePhase, GateSnapshot, GateView, Plan, Quota, RequestClass
from tests.support.manual_clock import ManualClock

PERSON, CHANGES, VISIBLE, BACKGROUND = RequestClass


class Low:
    """The least chance: every jitter is its lower bound."""

    def uniform(self, low: float, high: float) -> float:
        return low


def answer(
    status: int = 200,
    *windows: WindowFacts,
    remaining: int | None = None,
    limit: int | None = 60,
    reset_in: float | None = 30.0,
    retry_after: float | None = None,
    code: str | None = None,
    message: str | None = None,
) -> AnswerFacts:
    """An answer; with `remaining` it speaks of one window without naming it."""
    if remaining is not None:
        windows = (*windows, WindowFacts(limit, remaining, reset_in))
    return AnswerFacts(status, Limits(windows), retry_after, code, message, raw=f"HTTP {status}")


class High:
    """The most chance: every jitter is its upper bound."""

    def uniform(self, low: float, high: float) -> float:
        return high


def alone(
    clock: Clock, kept: GateSnapshot | None = None, plan: Plan | None = None, pauses: Iterable[GateSnapshot] = ()
) -> SharedGate[Admission]:
    """A gate for one seat, as it is restored from what was kept."""
    return SharedGate(restore(kept, plan, clock.now(), pauses))


@dataclass
class Bench:
    plan: Plan | None = None
    kept: GateSnapshot | None = None
    clock: ManualClock = field(default_factory=ManualClock)
    state: GateState = field(init=False)
    effects: list[Effect] = field(default_factory=list)
    out: list[Admit] = field(default_factory=list)
    """What left and was not looked at yet."""
    tickets: int = 0
    chance: Low | High = field(default_factory=Low)

    def __post_init__(self) -> None:
        self.state = restore(self.kept, self.plan, self.clock.now())
        self.feed(Tick())

    def feed(self, event: Event) -> list[Effect]:
        self.state, effects = gate.step(self.state, event, self.clock.now(), self.chance)
        self.effects = list(effects)
        self.out += [effect for effect in effects if isinstance(effect, Admit)]
        return self.effects

    def ask(
        self,
        cls: RequestClass = PERSON,
        *,
        write: bool = False,
        idempotent: bool | None = None,
        cost: int = 1,
        retry: bool = False,
        scheme: str = MAIN,
        place: str = "",
    ) -> int:
        self.tickets += 1
        probes = not write if idempotent is None else idempotent
        self.feed(Ask(self.tickets, cls, write, probes, cost, retry, scheme, place))
        return self.tickets

    def left(self) -> list[int]:
        """The tickets that left since this was last asked."""
        numbers = [admit.ticket for admit in self.out]
        self.out.clear()
        return numbers

    def say(
        self,
        ticket: int,
        said: AnswerFacts,
        *,
        more: bool = False,
        cut: bool = False,
        scheme: str = MAIN,
        place: str = "",
        keyless: bool = False,
    ) -> None:
        self.feed(Answered(ticket, said, more, cut, scheme, place, keyless))

    def lose(self, ticket: int, *, sent: bool = True, given_up: bool = False) -> None:
        self.feed(NoAnswer(ticket, sent, given_up))

    def one(self, said: AnswerFacts, cls: RequestClass = PERSON, *, write: bool = False) -> None:
        """One request leaves at once and is answered."""
        ticket = self.ask(cls, write=write)
        assert self.left() == [ticket], f"{self.view.phase}: {ticket} did not leave"
        self.say(ticket, said)

    def warm(self, remaining: int = 50, *, limit: int | None = 60, reset_in: float | None = 30.0) -> None:
        """The service has spoken, all is well."""
        self.one(answer(200, remaining=remaining, limit=limit, reset_in=reset_in))

    def pass_time(self, seconds: float) -> list[Effect]:
        self.clock.advance(seconds)
        return self.feed(Tick())

    def of(self, kind: type[Effect]) -> list[Effect]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def told(self, kind: type[GateView] | type[Quota]) -> list[GateView | Quota]:
        """What of this kind was shown in the last step."""
        return [effect.said for effect in self.effects if isinstance(effect, Show) and isinstance(effect.said, kind)]

    @property
    def view(self) -> GateView:
        return self.state.shown

    @property
    def phase(self) -> GatePhase:
        return self.view.phase

    @property
    def waits(self) -> float:
        """Seconds until the pause is over, by the wall."""
        assert self.view.until is not None
        return self.view.until - self.clock.now().wall

    @property
    def snapshot(self) -> GateSnapshot:
        """The last one handed out in the last step."""
        return [effect.snapshot for effect in self.effects if isinstance(effect, Persist)][-1]


def paused(seconds: float = 10.0) -> Bench:
    """A gate in a pause of `seconds` and one of jitter."""
    bench = Bench()
    bench.warm()
    bench.one(answer(429, retry_after=seconds, message="Too fast"))
    assert bench.phase is GatePhase.PAUSED
    return bench
