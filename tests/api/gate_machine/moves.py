"""What can happen at a desk: people, answers of every kind, time, hands on the clock, kills, another desk.

A move is a function of the desk and of chance; `TABLE` says how often each is made and when it can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from petstore_desktop.api.gate.model import MAIN
from petstore_desktop.domain.quota import PLANS, LimitSpan, Plan, RequestClass
from tests.api.gate_machine.clocks import (
    a_hand_sets_the_clock,
    the_disk_fails,
    the_disk_works_again,
    the_laptop_sleeps,
    the_machine_starts_anew,
    the_moment_comes,
    the_program_dies_right_after_it_has_sent,
    the_program_is_closed_and_opened,
    the_program_is_killed,
    time_passes,
)
from tests.api.gate_machine.keys import a_known_key_is_entered, another_key_is_given
from tests.api.gate_machine.service import LENGTHS, Sent, Told
from tests.api.gate_machine.words import (
    NO_WAIT,
    PLAIN,
    STYLES,
    Chance,
    Headers,
    Odd,
    an_odd_service,
    http_date,
    wait,
    windows,
)
from tests.api.gate_machine.world import PLACES, Desk, World

SCHEMES = [MAIN, MAIN, "writing"]
"""Of the operations that write."""
WAITS = [0, 1, 5, 30, 60, 300, 5_000, 100_000]
CROWD = 9
"""Requests that wait at once, more or less."""

FORMS = ["seconds", "date", "unit", "float", "two", "zeros"]
ODD_FORMS = [*FORMS, "minutes", "iso"]
GARBLED = [None] * 9 + ["limit", "remaining", "reset"]
SMALL = Plan("small", 8, 60)

Move: TypeAlias = Callable[[Desk, Chance], object]


def a_world(chance: Chance) -> World:
    """A service and what this desk believes of it: with the right plan, or with none."""
    plan = chance.choice([PLANS["free"], SMALL, SMALL])
    style = chance.choice([*STYLES, *["silent"] * 6, *["pairs-bare"] * 2])
    believed = chance.choice([plan, None])
    return World(style, plan.per_minute or 60, plan.per_day or 1_000, believed)


def an_odd_world(chance: Chance) -> World:
    """The same; one of three services has its oddities, and at one of two there is what no key may read."""
    world = a_world(chance)
    odd = an_odd_service(chance, world.style)
    return replace(world, odd=odd, forbidden=chance.choice([(), (), (PLACES[0],), (PLACES[2],), tuple(PLACES[1:])]))


def odd_of(desk: object) -> Odd:
    """What is odd about the service of a desk; of the desks of other machines nothing is."""
    return getattr(desk, "odd", PLAIN)


# ---------------------------------------------------------------- people


def _place(desk: Desk, chance: Chance) -> str:
    return chance.choice(PLACES) if desk.forbidden else ""


def somebody_asks(desk: Desk, chance: Chance) -> None:
    write = chance.choice([False, True])
    cost = chance.choice([1, 1, 2]) if write else 1
    cls = chance.choice(list(RequestClass))
    if write:
        desk.ask(cls, write=True, cost=cost, scheme=chance.choice(SCHEMES))
    else:
        desk.ask(cls, write=False, place=_place(desk, chance))


def a_list_is_asked_for(desk: Desk, chance: Chance) -> None:
    cls = chance.choice(list(RequestClass))
    place = _place(desk, chance)
    for _ in range(chance.choice([2, 5])):
        desk.ask(cls, write=False, place=place)


def somebody_gives_up(desk: Desk, chance: Chance) -> None:
    desk.give_up(chance.choice(sorted(desk.waiting)))


def the_probe_is_asked_for(desk: Desk, chance: Chance) -> None:
    desk.probe_wanted = False
    desk.ask_a_probe()


def a_person_ends_the_pause(desk: Desk, chance: Chance) -> None:
    desk.resume()


def a_connection_stands(desk: Desk, chance: Chance) -> None:
    desk.first_byte(chance.choice(sorted(desk.service.admitted)))


def connections_become_slow_or_quick(desk: Desk, chance: Chance) -> None:
    desk.slow = not desk.slow


# ---------------------------------------------------------------- answers


def the_next(desk: Desk, chance: Chance) -> Sent:
    """One of the requests that are out; the move that asks for it answers it."""
    return desk.service.out.pop(chance.choice(sorted(desk.service.out)))


class Said(NamedTuple):
    """The windows of an answer: its headers, and the seconds after the answer to a reset, None where none is told."""

    headers: Headers
    spent: float | None
    """To the last reset of the windows with nothing left."""
    next: float | None
    """To the first reset of all."""
    blind: bool
    """Nothing is left, and nobody says until when."""


def windows_of(desk: Desk, sent: Sent, chance: Chance) -> Said:
    """Word the windows of an answer, and tell the model what a careful reader knows from them."""
    odd = odd_of(desk)
    garbled = chance.choice(GARBLED) if odd.sure else None
    headers, told = windows(desk.style, sent, desk.true, garbled, chance, odd, getattr(desk, "clocks", ()))
    limits = tuple(desk.service.counters[span].limit for span in LENGTHS)
    sure = garbled != "limit" and (desk.plan is None or (desk.plan.per_minute, desk.plan.per_day) == limits)
    day = told.get(LimitSpan.DAY)
    soon = day is not None and (day.reset_in is None or day.reset_in <= 95.0)
    unnamed = desk.style.startswith("day") or (desk.style.startswith("pairs") and garbled == "limit")
    sure = sure and odd.sure
    unsure = (soon and unnamed and not (sure and desk.plan is not None)) or not odd.sure
    desk.service.tell(sent, told, desk.true, sure=sure, unsure=unsure)
    spent = [window.reset_in for window in told.values() if window.remaining == 0 and window.reset_in is not None]
    resets = [window.reset_in for window in told.values() if window.reset_in is not None]
    blind = any(window.remaining == 0 and window.reset_in is None for window in told.values())
    return Said(headers, max(spent, default=None), min(resets, default=None), blind and sent.key == desk.service.key)


def it_is_answered(desk: Desk, chance: Chance) -> None:
    """As the service's windows have it: well, or 429 with a time to come back."""
    sent = the_next(desk, chance)
    if sent.over:
        refuse(desk, sent, chance, 429, chance.choice([1, 30]))
        return
    said = windows_of(desk, sent, chance)
    if sent.ask.place in desk.forbidden:
        desk.refuse_for_ever(sent, said.headers, said.spent, blind=said.blind)
        return
    status = chance.choice([200, 200, 201, 204, 304, 404, 409, 200 if desk.service.limited else 403])
    desk.service.good(sent)
    if said.blind:
        desk.service.blind(sent, desk.true)
    if sent.cost > 1:
        desk.look_went_well(sent, said.headers)
    else:
        desk.answered(sent, status, said.headers)
        desk.done += 1


def too_fast(desk: Desk, chance: Chance) -> None:
    """A 429, or another failure that says when to come back, for no reason that a client could know."""
    status = chance.choice([429, 429, 429, 429, 503, 420, 400, 408, 500, 504])
    refuse(desk, the_next(desk, chance), chance, status, chance.choice(WAITS))


def refuse(desk: Desk, sent: Sent, chance: Chance, status: int, seconds: int) -> None:
    """Answer 429, or another failure, with a time to come back."""
    said = windows_of(desk, sent, chance)
    odd = odd_of(desk)
    text, asked = wait(seconds, sent.made + odd.ahead, chance.choice(FORMS if odd is PLAIN else ODD_FORMS))
    waits = [asked] if said.spent is None else [asked, said.spent]
    desk.service.limit(sent, desk.true, waits, counts=status == 429)
    desk.answered(sent, status, [*said.headers, ("Retry-After", text)])
    desk.again([sent.ask])


def too_fast_in_words_nobody_understands(desk: Desk, chance: Chance) -> None:
    """A 429 without a usable Retry-After: its reset counts, if there is one."""
    sent = the_next(desk, chance)
    said = windows_of(desk, sent, chance)
    told = said.next if said.spent is None else said.spent
    desk.service.limit(sent, desk.true, [] if told is None else [told], counts=True)
    rubbish = chance.choice([None, *NO_WAIT])
    desk.answered(sent, 429, said.headers + ([] if rubbish is None else [("Retry-After", rubbish)]))
    desk.again([sent.ask])


def a_wait_of_many_digits(desk: Desk, chance: Chance) -> None:
    """It is obeyed as the longest there is, until a person takes the risk."""
    sent = the_next(desk, chance)
    text, seconds = wait(0, sent.made, "digits")
    desk.service.silent(sent)
    desk.service.limit(sent, desk.true, [seconds], counts=True)
    desk.answered(sent, 429, [("Retry-After", text)])
    desk.again([sent.ask])
    desk.sleep(chance.choice([100.0, 1e6]))
    desk.check()
    desk.resume()


def a_date_without_the_services_own_time(desk: Desk, chance: Chance) -> None:
    """A 429 until a moment, in an answer that does not say what time it is; whatever our own clock says of it."""
    sent, seconds = the_next(desk, chance), chance.choice(WAITS)
    desk.service.silent(sent)
    # The moment is cut off to whole seconds: it may lie so long before what was meant; and the answer was on its way.
    desk.service.limit(sent, desk.true, [max(0.0, sent.made + seconds - 1.0 - desk.true)], counts=True)
    desk.answered(sent, 429, [("Retry-After", http_date(sent.made + odd_of(desk).ahead + seconds))], dated=False)
    desk.again([sent.ask])


def the_key_is_banned(desk: Desk, chance: Chance) -> None:
    """By its code, or by a 403 after a 429 at a place that did not answer so before; with a time or without."""
    sent = the_next(desk, chance)
    said = windows_of(desk, sent, chance)
    seconds = chance.choice([None, 1, 900, 5_000])
    limited = desk.service.limited and sent.key == desk.service.key  # a 429 to one key says nothing of another's 403
    known = limited and sent.ask.place not in desk.service.refused
    code = chance.choice(["key_banned", "KEY-BANNED", None, None]) if known else "key_banned"
    desk.service.ban(sent, desk.true, None if seconds is None else float(seconds), said.spent)
    waits = [] if seconds is None else [("Retry-After", str(seconds))]
    desk.answered(sent, 403, said.headers + waits, code=code)
    desk.again([sent.ask])


def the_service_fails(desk: Desk, chance: Chance) -> None:
    """A 5xx that says nothing of when to come back; a write may have been done, and is uncertain."""
    sent = the_next(desk, chance)
    said = windows_of(desk, sent, chance)
    desk.service.no_verdict(sent, desk.true)
    if said.blind:
        desk.service.blind(sent, desk.true)
    desk.uncertain += sent.ask.write
    desk.answered(sent, chance.choice([500, 502, 503, 504]), said.headers)
    if not sent.ask.write:
        desk.again([sent.ask])


def the_line_breaks(desk: Desk, chance: Chance) -> None:
    sent = the_next(desk, chance)
    desk.service.silent(sent, sent.cost)
    desk.service.no_verdict(sent, desk.true)
    desk.broke(sent, after_sending=True)


def no_connection_is_made(desk: Desk, chance: Chance) -> None:
    ticket = chance.choice(sorted(desk.service.admitted))
    sent = desk.service.admitted[ticket]
    desk.service.give_back(ticket)
    desk.service.no_verdict(sent, desk.true)
    desk.broke(sent, after_sending=False)


def the_key_is_revoked(desk: Desk, chance: Chance) -> None:
    sent = the_next(desk, chance)
    said = windows_of(desk, sent, chance)
    desk.service.reject(sent.key, sent.ask.scheme)
    desk.answered(sent, 401, said.headers)
    desk.again([sent.ask])


# ---------------------------------------------------------------- another desk, another plan


def another_desk_sends(desk: Desk, chance: Chance) -> None:
    """Remaining falls without our doing."""
    requests = chance.choice([1, 3, 20, 1_000, None, None])
    for counter in desk.service.counters.values():
        all_but_one = max(0, counter.remaining - 1) if desk.true < counter.ends else counter.limit - 1
        counter.count(desk.true, all_but_one if requests is None else requests)


def remaining_rises(desk: Desk, chance: Chance) -> None:
    """The service counts another way, or forgives."""
    requests = chance.choice([1, 5, 60])
    for counter in desk.service.counters.values():
        counter.used = max(0, counter.used - requests)


def the_service_begins_to_count_anew(desk: Desk, chance: Chance) -> None:
    """Its windows begin at this moment, though it has told another one's end."""
    for counter in desk.service.counters.values():
        counter.used, counter.ends = 0, desk.true + counter.length


def it_begins_to_count_anew_between_two_answers(desk: Desk, chance: Chance) -> None:
    """One is the last that a window had room for, the other the first of the next; which comes first is open."""
    last, first = sorted(desk.service.out)[:2]
    last_told, first_told = desk.service.out[last].told, desk.service.out[first].told
    the_service_begins_to_count_anew(desk, chance)
    for span, counter in desk.service.counters.items():
        counter.count(desk.true)
        last_told[span] = replace(last_told[span], remaining=0)
        first_told[span] = Told(counter.limit, counter.remaining, counter.ends)
    desk.service.out[first].made = desk.true


def the_plan_changes(desk: Desk, chance: Chance) -> None:
    times = chance.choice([0.5, 2.0, 2.0])
    for counter in (desk.service.counters[span] for span in LENGTHS):
        counter.limit = max(4, int(counter.limit * times))


def a_proxy_drops_the_headers_or_stops_to(desk: Desk, chance: Chance) -> None:
    desk.style, desk.other_style = desk.other_style, desk.style


# ---------------------------------------------------------------- the table


class Row(NamedTuple):
    """How often a move is made beside the others, and when it can be."""

    weight: int
    move: Move
    can: Callable[[Desk], bool]
    ever: bool = False
    """Whether it is made in every episode, as often in one as in another."""


def _always(desk: Desk) -> bool:
    return True


def _answer_due(desk: Desk) -> bool:
    return bool(desk.service.out)


def _room(desk: Desk) -> bool:
    return len(desk.waiting) + len(desk.parked) < CROWD


def _connecting(desk: Desk) -> bool:
    return bool(desk.service.admitted)


def _is_woken(desk: Desk) -> bool:
    return desk.wake is not None and desk.wake > desk.true


def _all_wait(desk: Desk) -> bool:
    return bool(desk.waiting) and not desk.service.out and not desk.service.admitted


TABLE = [
    Row(60, somebody_asks, _room, ever=True),
    Row(20, a_list_is_asked_for, _room),
    Row(6, somebody_gives_up, lambda desk: bool(desk.waiting)),
    Row(60, the_probe_is_asked_for, lambda desk: desk.probe_wanted, ever=True),
    Row(3, a_person_ends_the_pause, lambda desk: desk.meets_a_pause()),
    Row(30, a_connection_stands, _connecting, ever=True),
    Row(12, connections_become_slow_or_quick, _always),
    Row(160, it_is_answered, _answer_due, ever=True),
    Row(10, too_fast, _answer_due),
    Row(6, too_fast_in_words_nobody_understands, _answer_due),
    Row(1, a_wait_of_many_digits, _answer_due),
    Row(4, a_date_without_the_services_own_time, lambda desk: _answer_due(desk) and desk.ahead is not None),
    Row(5, the_key_is_banned, _answer_due),
    Row(6, the_service_fails, _answer_due),
    Row(6, the_line_breaks, _answer_due),
    Row(6, no_connection_is_made, _connecting),
    Row(2, the_key_is_revoked, _answer_due),
    Row(40, another_key_is_given, lambda desk: desk.service.revoked),
    Row(1, another_key_is_given, _always),
    Row(4, a_known_key_is_entered, _always),
    Row(14, another_desk_sends, _always),
    Row(4, remaining_rises, _always),
    Row(2, the_service_begins_to_count_anew, _always),
    Row(4, it_begins_to_count_anew_between_two_answers, lambda desk: len(desk.service.out) > 1),
    Row(1, the_plan_changes, _always),
    Row(2, a_proxy_drops_the_headers_or_stops_to, _always),
    Row(40, time_passes, _always, ever=True),
    Row(400, the_moment_comes, lambda desk: _is_woken(desk) and _all_wait(desk), ever=True),
    Row(4, the_moment_comes, lambda desk: _is_woken(desk)),
    Row(5, the_laptop_sleeps, _always),
    Row(5, a_hand_sets_the_clock, _always),
    Row(8, the_program_is_killed, lambda desk: desk.durable),
    Row(8, the_program_dies_right_after_it_has_sent, lambda desk: desk.durable),
    Row(2, the_program_is_closed_and_opened, lambda desk: desk.durable),
    Row(3, the_machine_starts_anew, lambda desk: desk.durable),
    Row(2, the_disk_fails, lambda desk: not desk.fuse),
    Row(30, the_disk_works_again, lambda desk: desk.disk_fails, ever=True),
    Row(1, Desk.a_kind_hour, _always),
]
