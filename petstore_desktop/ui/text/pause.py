"""Texts for everything that stops sending (paused until when, and why; what is safe, what to do), and for a wrong
clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.domain.quota import ONLY_CHANGES, Cause, LongerPause
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.text.times import clock_difference, countdown, duration, moment, near_moment
from petstore_desktop.ui.text.translate import number, sentences, service_words, tr
from petstore_desktop.ui.text.waits import kept_words, wait_sentence


class SendBlockWords(Struct, frozen=True):
    """`title` says what happened, with the time left, and `why` more of it; then what is `safe`, and what to `do`."""

    title: str
    why: str
    safe: str
    do: str
    notes: str = ""

    @property
    def detail(self) -> str:
        """All but the title, in one paragraph."""
        return sentences(self.why, self.safe, self.do, self.notes)


class _Facts(Struct, frozen=True):
    """Why nothing is sent while `waiting` changes wait."""

    blocked: SendBlock
    waiting: int
    now: float

    @property
    def left_s(self) -> float:
        return 0.0 if self.blocked.until is None else self.blocked.until - self.now

    @property
    def left(self) -> str:
        return countdown(self.left_s)

    @property
    def time(self) -> str:
        return moment(self.now + self.left_s, self.now)

    @property
    def said(self) -> str:
        return service_words(self.blocked.gate.reason or "", self.blocked.gate.status)

    @property
    def safe(self) -> str:
        if self.waiting:
            return tr(
                "{n} changes wait, all saved on this computer.",
                "",
                self.waiting,
                one="{n} change waits, saved on this computer.",
            )
        return _readable()


def paused_words(blocked: SendBlock | None, now: float) -> str:
    """That nothing is sent, and until when; empty where something may be."""
    if blocked is None or blocked.cause in (*ONLY_CHANGES, Cause.OFFLINE):
        return ""
    if blocked.until is None:
        return tr("Sending is paused.")
    return tr("Sending is paused until {time}.", time=near_moment(blocked.until, now))


def send_block_words(blocked: SendBlock, waiting: int, now: float) -> SendBlockWords:
    """What the banner says while `waiting` changes wait."""
    words = _WORDS[blocked.cause](_Facts(blocked, waiting, now))
    if blocked.asks:
        words = replace(words, do=tr("This is unusually long: ask the service’s provider. The program waits."))
    return replace(words, notes=_notes(blocked))


def _notes(blocked: SendBlock) -> str:
    notes: list[str] = []
    if not blocked.gate.persisted:
        notes.append(tr("The pause could not be saved, the disk may be full: keep the window open until it ends."))
    ahead = clock_difference(blocked.skew) if blocked.cause in (Cause.DAY, Cause.SHARE, Cause.BANNED) else ""
    if ahead:
        notes.append(tr("Times are this computer’s; the service’s clock is {ahead}.", ahead=ahead))
    return sentences(*notes)


def _readable() -> str:
    return tr("You can read and edit everything on this computer.")


def _goes_on() -> str:
    return tr("Keep working: it goes on by itself.")


def _with_longer(why: str, facts: _Facts) -> str:
    """And why the wait is longer than what the service is quoted with."""
    said = {
        LongerPause.AGAIN: tr("It refused again, so the program waits longer than it asked."),
        LongerPause.UNTOLD: tr("It did not say clearly how long, so the program waits longer each time."),
    }
    longer = facts.blocked.gate.longer
    return why if longer is None else f"{why} {said[longer]}"


def _asked(facts: _Facts) -> SendBlockWords:
    why = _with_longer(tr("The service answered {said}.", said=facts.said), facts)
    return SendBlockWords(tr("Sending is paused for {left}", left=facts.left), why, facts.safe, _goes_on())


def _busy(facts: _Facts) -> SendBlockWords:
    why = _with_longer(tr("It cannot work just now, and answered {said}.", said=facts.said), facts)
    return SendBlockWords(tr("The service takes no requests for {left}", left=facts.left), why, facts.safe, _goes_on())


def _untold(facts: _Facts) -> SendBlockWords:
    why = tr("The service does not say when there are more.")
    return SendBlockWords(tr("No requests are left: next try in {left}", left=facts.left), why, facts.safe, _goes_on())


def _minute(facts: _Facts) -> SendBlockWords:
    window = facts.blocked.window
    if window.limit is None:
        why = tr("The service allows no more in a minute.")
    elif window.own_count:
        why = tr("Your plan allows {n} in a minute, and this computer has sent as many.", "", window.limit)
    else:
        why = tr("The service allows {n} in a minute.", "", window.limit)
    title = tr("This minute’s requests are used up: it goes on in {left}", left=facts.left)
    return SendBlockWords(title, why, facts.safe, _goes_on())


def _day(facts: _Facts) -> SendBlockWords:
    window = facts.blocked.window
    title = tr("Today’s requests are used up")
    if window.limit is not None:
        title = tr("Today’s {n} requests are used up", "", window.limit)
    plan = tr("If this happens often, the shop needs a larger plan.")
    return SendBlockWords(title, _who_used_the_day(facts), _after(facts), f"{_readable()} {plan}")


def _who_used_the_day(facts: _Facts) -> str:
    window = facts.blocked.window
    if not window.own_count:
        return ""
    if window.limit is None or not window.remaining:
        return tr("The service does not report the day: this is this computer’s own count.")
    sent = window.limit - window.remaining
    return tr("This computer sent about {n} of them, other programs with the same key the rest.", "", sent)


def _after(facts: _Facts) -> str:
    """That all is saved, and when it goes out."""
    when = tr("as soon as the day has requests again")
    if facts.blocked.until is not None:
        when = tr("after {time} (in {left})", time=facts.time, left=duration(facts.left_s))
    if not facts.waiting:
        return tr("Your changes are saved on this computer and go out by themselves {when}.", when=when)
    return tr(
        "Your {n} changes are saved on this computer; they go out by themselves {when}.",
        "",
        facts.waiting,
        one="Your change is saved on this computer; it goes out by itself {when}.",
        when=when,
    )


def _share(facts: _Facts) -> SendBlockWords:
    window = facts.blocked.window
    left, limit = number(window.remaining or 0), number(window.limit or 0)
    return SendBlockWords(
        tr("Changes wait: the rest of today’s requests is kept for you"),
        tr("{left} of {limit} are left, for Refresh and Check live.", left=left, limit=limit),
        _after(facts),
        tr("Keep working. If this happens often, the shop needs a larger plan."),
    )


def _turn(facts: _Facts) -> SendBlockWords:
    blocked = facts.blocked
    title = wait_sentence(blocked.cause, blocked.until, facts.now)
    return SendBlockWords(title, kept_words(blocked.cause), facts.safe, _goes_on())


def _banned(facts: _Facts) -> SendBlockWords:
    safe = _readable()
    if facts.waiting:
        safe = tr(
            "Your {n} changes are saved on this computer and go out afterwards.",
            "",
            facts.waiting,
            one="Your change is saved on this computer and goes out afterwards.",
        )
    answered = tr("The service answered {said}.", said=facts.said)
    why = tr("It does so when a program keeps sending after it was asked to wait.")
    wait = tr("Wait: sending now would make the ban longer.")
    ask = tr("If it happens again, ask the service’s provider, and look for other programs that use this key.")
    return SendBlockWords(
        tr("This key is banned: nothing is sent before {time} (in {left})", time=facts.time, left=facts.left),
        f"{answered} {why}",
        safe,
        f"{wait} {ask}",
    )


def _probing(facts: _Facts) -> SendBlockWords:
    why = tr("Nothing else is sent until it is answered.")
    return SendBlockWords(
        tr("The wait is over: a test request checks whether sending may resume"), why, facts.safe, _goes_on()
    )


def _locked(facts: _Facts) -> SendBlockWords:
    why = tr("It answered {said}.", said=facts.said)
    do = tr("Enter another key: this one is wrong, or was revoked. Until then nothing is sent.")
    return SendBlockWords(tr("The service does not accept the key"), why, facts.safe, do)


def _no_key(facts: _Facts) -> SendBlockWords:
    do = tr("There is no key yet, so nothing is sent (File > Change key).")
    return SendBlockWords(tr("The service needs a key"), "", facts.safe, do)


def _offline(facts: _Facts) -> SendBlockWords:
    since = facts.blocked.since
    title = tr("The service cannot be reached")
    if since is not None:
        title = tr("Offline since {time}: the service cannot be reached", time=moment(since, facts.now))
    do = tr("Keep working: the program keeps trying, then sends your changes.")
    return SendBlockWords(title, "", facts.safe, do)


def refresh_offline_words(blocked: SendBlock, now: float) -> str:
    """What a refresh does while the service cannot be reached."""
    since = now if blocked.since is None else blocked.since
    return tr("Offline since {time}. The program tries again now, and keeps trying", time=moment(since, now))


_WORDS: Mapping[Cause, Callable[[_Facts], SendBlockWords]] = {
    Cause.MINUTE: _minute,
    Cause.DAY: _day,
    Cause.SHARE: _share,
    Cause.MINUTE_SHARE: _turn,
    Cause.TURN: _turn,
    Cause.ASKED: _asked,
    Cause.BUSY: _busy,
    Cause.UNTOLD: _untold,
    Cause.BANNED: _banned,
    Cause.PROBING: _probing,
    Cause.LOCKED: _locked,
    Cause.NO_KEY: _no_key,
    Cause.OFFLINE: _offline,
}


def clock_words(skew: float) -> SendBlockWords:
    """What a difference of the clocks means, of a service whose clock is `skew` seconds ahead of this computer's."""
    counted = tr("Pauses are exact all the same: they are counted, not read from a clock.")
    shown = tr("All times shown are this computer’s.")
    compare = tr("Compare this computer’s clock with another one, such as a phone’s.")
    wrong = tr("If it is wrong, set it: late orders and all times shown depend on it.")
    right = tr("If it is right, you don’t need to do anything.")
    return SendBlockWords(
        tr("The service’s clock is {ahead}", ahead=clock_difference(skew)),
        "",
        f"{counted} {shown}",
        f"{compare} {wrong} {right}",
    )
