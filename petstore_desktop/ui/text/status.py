"""Texts of the status bar: the connection, the requests left, and the clocks.

Other states: of a change `ui/text/cell`, of a list that is being read `ui/text/loading`, of a pause `ui/text/pause`, of
a change that waits `ui/text/waits`.
"""

from __future__ import annotations

from petstore_desktop.domain.quota import Cause, Quota, Window
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.theme import Tone, isolate, plain
from petstore_desktop.ui.text.times import clock_difference, countdown, duration, moment, near_moment
from petstore_desktop.ui.text.translate import sentences, tr
from petstore_desktop.ui.text.waits import WAITS, wait_words


def connection_words(
    name: str, word: str, at: float | None, blocked: SendBlock | None, now: float
) -> tuple[str, str, Tone]:
    """Icon, words and tone for the status bar: `Riverside Pets, live`."""
    shop = isolate(plain(name))
    if blocked is not None and blocked.cause is not Cause.OFFLINE:
        if blocked.cause in (Cause.MINUTE_SHARE, Cause.TURN):
            waits = wait_words(blocked.cause, blocked.until, now)
            return "pause", tr("{shop}, a change {waits}", shop=shop, waits=waits), "wait"
        wait, left = WAITS[blocked.cause], countdown((blocked.until or now) - now)
        icon = "warning" if wait.tone == "bad" else "pause"
        return icon, tr("{shop}, {state}", shop=shop, state=wait.badge(left)), wait.tone
    if word == "live":
        return "live", tr("{shop}, live", shop=shop), "ok"
    if word == "silent" and at is not None:
        return "pause", tr("{shop}, no answer for {time}", shop=shop, time=countdown(now - at)), "wait"
    if word == "offline" and at is not None:
        return "offline", tr("{shop}, offline since {time}", shop=shop, time=moment(at, now)), "wait"
    if word == "as-of" and at is not None:
        return "as-of", tr("{shop}, as of {time}", shop=shop, time=moment(at, now)), "muted"
    return "as-of", shop if word == "reading" else tr("{shop}, never read", shop=shop), "muted"


def clock_badge(skew: float | None) -> str:
    """In the status bar; empty where the clocks agree."""
    if not clock_difference(skew):
        return ""
    return tr("Clocks differ by {length}", length=duration(abs(skew or 0) // 60 * 60))


def is_unknown(window: Window) -> bool:
    """Whether neither the service nor the plan says anything of a window."""
    return window.limit is None and window.remaining is None


def unknown_words(quota: Quota) -> str:
    """The text about an unknown limit: how the program handles it, and what a person can do."""
    does = tr("The program obeys every “wait”.")
    if is_unknown(quota.minute) and is_unknown(quota.day):
        does = tr("The program sends one at a time and obeys every “wait”.")
    return f"{does} {tr('If you know your plan, choose it in File, Connection settings.')}"


def quota_tips(quota: Quota, now: float, blocked: SendBlock | None = None) -> tuple[str, str]:
    """What the meters of the minute and the day mean: whether anything may be sent, which side counted, and when they
    are full again."""
    ahead = clock_difference(quota.skew)
    clock = tr("This computer’s time; the service’s clock is {ahead}.", ahead=ahead) if ahead else ""
    unknown = unknown_words(quota)
    paused = ""
    if blocked is not None:
        from petstore_desktop.ui.text.pause import paused_words  # late: mostly nothing is paused

        paused = paused_words(blocked, now)
    minute = _tip(quota.minute, now, _minute_words(quota.minute, paused), unknown, clock)
    day = _tip(quota.day, now, _day_words(quota.day, paused), unknown, clock)
    return f"{paused} {minute}".lstrip(), f"{paused} {day}".lstrip()


def _minute_words(window: Window, paused: str) -> str:
    left = max(0, window.remaining or 0)
    if is_unknown(window):
        return tr("The service does not say how many requests it allows a minute.")
    if paused:
        return tr("{n} requests are left of this minute’s.", "", left, one="{n} request is left of this minute’s.")
    return tr("{n} more requests may be sent this minute.", "", left, one="{n} more request may be sent this minute.")


def _day_words(window: Window, paused: str) -> str:
    left = max(0, window.remaining or 0)
    if is_unknown(window):
        return tr("The service does not say how many requests it allows a day.")
    if paused:
        return tr("{n} requests are left of today’s.", "", left, one="{n} request is left of today’s.")
    return tr("{n} more requests may be sent today.", "", left, one="{n} more request may be sent today.")


def _tip(window: Window, now: float, count: str, unknown: str, clock: str) -> str:
    if is_unknown(window):
        return f"{count} {unknown}"
    parts = [count]
    if window.own_count:
        parts.append(tr("The service does not report it: ≈ is this computer’s own count, without other computers."))
    if window.resets_at is not None and window.resets_at > now:
        time = near_moment(window.resets_at, now)
        full, next_one = tr("It is full again at {time}.", time=time), tr("The next one is free at {time}.", time=time)
        parts.append(next_one if window.own_count else full)
        parts.append(clock)
    return sentences(*parts)
