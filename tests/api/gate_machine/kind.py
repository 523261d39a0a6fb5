"""A kind hour: whatever waits is sent, and nobody starves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from petstore_desktop.api.gate.model import Tick
from petstore_desktop.domain.quota import RequestClass
from tests.api.gate_machine.service import Sent, Violation
from tests.api.gate_machine.words import DISTANCES, PLAIN, Headers, windows

TURN = 1.0
"""Virtual seconds between two rounds of answers in a kind hour."""

LONGEST = 1e6
"""Seconds; longer waits are told too, and a person ends each of them at once."""

STARVED = 60.0
"""Seconds of possible sending after which nobody may wait any more, but for those who have waited as long."""

MOST_ROUNDS = 2_000
FLOOD = 8
"""Requests of people that are always waiting in a kind hour."""

PLENTY = 100_000


class KindHour:
    """The part of a desk that lives it."""

    def a_kind_hour(self: Any, chance: object = None) -> None:
        """The service is kind, and people ask without end: whoever waited before is sent all the same.

        Raises Violation if somebody waits longer than a minute of possible sending and a turn for each who waits too.
        """
        self._be_kind()
        self.bans.clear()
        before = set(self.waiting)
        allowed = STARVED + 2.0 * len(before)
        waited, heard = 0.0, False
        for _ in range(MOST_ROUNDS):
            heard = self._answer_all() > 0 or heard
            if not before & set(self.waiting):
                return
            if heard and self.service.is_open(self.true, PLENTY // 2):
                waited += TURN
                self._flood()
            elif not self.service.out:
                self._until_it_opens()
                continue
            if waited > allowed:
                raise Violation(f"starved: {[self.waiting[ticket] for ticket in sorted(before & set(self.waiting))]}")
            self.true += TURN
            self.feed(Tick())
        raise Violation(f"waits for ever: {self.waiting}")

    def _be_kind(self: Any) -> None:
        self.slow = self.fuse = self.disk_fails = False
        if getattr(self, "odd", PLAIN) is not PLAIN:
            for counter in self.service.counters.values():  # none that it told before ends later than these
                counter.used, counter.ends = 0, self.true + counter.length
        if self.service.revoked:
            self.new_key()
        for ticket in list(self.service.admitted):
            self.first_byte(ticket)
        closure = self.state.closure
        if closure is not None and closure.until > self.now().steady + LONGEST:
            self.resume()  # as a person did who met it: it is the pause of a key that was in use then
        self.feed(Tick())

    def _until_it_opens(self: Any) -> None:
        if self.probe_wanted:
            self.probe_wanted = False
            self.ask_a_probe()
        elif self.wake is None or self.wake < self.true - 1e-3:
            raise Violation(f"nobody will wake the gate for {self.waiting}")
        elif self.wake > self.true + LONGEST:
            raise Violation(f"waits for ever: {self.waiting}")
        else:
            self.true = self.wake + 1e-3  # which two clocks may round apart
            self.feed(Tick())

    def _answer_all(self: Any) -> int:
        """Every request is answered well, with plenty left of both windows. Returns how many there were."""
        out = sorted(self.service.out)
        for ticket in out:
            sent = self.service.out.pop(ticket)
            headers = plenty(self, sent)
            if sent.ask.place in self.forbidden:
                self._refuse_again(sent, headers)
                continue
            self.service.good(sent)
            if sent.cost > 1:
                self.look_went_well(sent, headers)
            else:
                self.answered(sent, 200, headers)
                self.done += 1
        return len(out)

    def _refuse_again(self: Any, sent: Sent, headers: Headers) -> None:
        """Who wants to see what no key may read asks for it again and again."""
        self.refuse_for_ever(sent, headers)
        if self.bans[sent.key, sent.ask.place] > 1:
            raise Violation(f"banned again and again for {sent.ask.place}, which always refuses")
        self.ask(sent.ask.cls, write=False, place=sent.ask.place)

    def _flood(self: Any) -> None:
        people = sum(ask.cls is RequestClass.PERSON for ask in self.waiting.values())
        for number in range(people, FLOOD):
            self.ask(RequestClass.PERSON, write=number % 2 == 0)


def plenty(desk: Any, sent: Sent) -> Headers:
    """Word an answer with plenty left of both windows, and tell the model of them."""
    style = "named-delta" if {desk.style, desk.other_style} & set(DISTANCES) else "named-epoch"
    sent.told = {span: replace(told, limit=PLENTY, remaining=PLENTY - 1) for span, told in sent.told.items()}
    headers, told = windows(
        style, sent, desk.true, None, None, getattr(desk, "odd", PLAIN), getattr(desk, "clocks", ())
    )
    desk.service.tell(sent, told, desk.true, sure=False)
    return headers
