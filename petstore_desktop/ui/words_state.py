"""Words for states: the connection, the gate's pause, the quota, and how far a change has come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from petstore_desktop.domain.quota import GatePhase, GateView, Window
from petstore_desktop.ui.theme import Tone, isolate, plain
from petstore_desktop.ui.words import counted_changes, field_word, number, quoted, service_words, status_word, tr
from petstore_desktop.ui.words_causes import refusal_words
from petstore_desktop.ui.words_time import about, clock_time, countdown, moment

Params = Mapping[str, object]


def pause_title(gate: GateView, now: float) -> str:
    """The banner's first line, with the time left."""
    left = countdown((gate.until or now) - now)
    if gate.phase is GatePhase.BANNED:
        return tr("The key is banned for {left}", left=left)
    if gate.phase is GatePhase.LOCKED:
        return tr("The service does not accept the key")
    if gate.phase is GatePhase.PROBING:
        return tr("One request checks whether the pause is over")
    if gate.phase is GatePhase.SPENT:
        return tr("No requests are left for {left}", left=left)
    return tr("Sending is paused for {left}", left=left)


def pause_detail(gate: GateView, waiting: int) -> str:
    """Why, what is safe, and what waits."""
    parts = [_pause_why(gate)]
    if waiting:
        parts.append(tr("{changes} wait, all saved on this computer; keep working.", changes=counted_changes(waiting)))
    else:
        parts.append(tr("Everything on this computer can be read and edited."))
    if not gate.persisted:
        parts.append(tr("The pause could not be written to the disk: keep this window open until it ends."))
    if gate.ask_person:
        parts.append(tr("It is longer than a day: ask the service’s owner."))
    return " ".join(part for part in parts if part)


def _pause_why(gate: GateView) -> str:
    if gate.phase is GatePhase.SPENT:
        return tr("The window’s requests are used up.")
    if gate.phase is GatePhase.LOCKED:
        return tr("Nothing is sent until there is a key that works (File, Change key).")
    said = service_words(gate.reason or "", gate.status)
    if gate.phase is GatePhase.BANNED:
        return tr("The service answered {said}. Sending before then would make it longer.", said=said)
    return tr("The service answered {said}.", said=said)


def announced_pause(gate: GateView) -> str:
    """Said once to a screen reader when a pause begins."""
    if gate.until is None:
        return tr("Sending is paused.")
    return tr("Sending is paused until {time}.", time=clock_time(gate.until, seconds=True))


def connection_words(name: str, word: str, at: float | None, gate: GateView, now: float) -> tuple[str, str, Tone]:
    """Icon, words and tone for the status bar: `Riverside Pets, live`."""
    shop = isolate(plain(name))
    if gate.phase in (GatePhase.PAUSED, GatePhase.BANNED, GatePhase.SPENT):
        left = countdown((gate.until or now) - now)
        return "pause", tr("{shop}, paused {left}", shop=shop, left=left), "wait"
    if gate.phase is GatePhase.LOCKED:
        return "warning", tr("{shop}, key not accepted", shop=shop), "bad"
    if gate.phase is GatePhase.PROBING:
        return "pause", tr("{shop}, checking", shop=shop), "wait"
    if word == "live":
        return "live", tr("{shop}, live", shop=shop), "ok"
    if word == "offline" and at is not None:
        return "offline", tr("{shop}, offline since {time}", shop=shop, time=moment(at, now)), "wait"
    if word == "as-of" and at is not None:
        return "as-of", tr("{shop}, as of {time}", shop=shop, time=moment(at, now)), "muted"
    return "as-of", tr("{shop}, never read", shop=shop), "muted"


def quota_words(window: Window) -> str:
    """What replaces "52 of 60 left" where the service does not tell; empty where it does."""
    if window.limit is None and window.remaining is None:
        return tr("unknown")
    return ""


def quota_tip(window: Window, now: float) -> str:
    """What the meter means: who counted, and when it is full again."""
    if window.limit is None and window.remaining is None:
        return tr("The service has not said how many requests it lets through.")
    parts = [tr("{n} requests may still be sent in this window.", "", max(0, window.remaining or 0))]
    if window.own_count:
        parts.append(tr("The service does not speak of this window: this is our own count."))
    if window.resets_at is not None and window.resets_at > now:
        parts.append(tr("It is full again at {time}.", time=moment(window.resets_at, now)))
    return " ".join(parts)


def change_sentence(code: str, params: Params, now: float, gate: GateView) -> str:
    """How far a change has come, by the desk's code."""
    at = params.get("at")
    time = moment(at, now) if isinstance(at, int | float) else ""
    said = {
        "change.unsent": lambda: _unsent(time, bool(params.get("next")), gate),
        "change.blocked": lambda: tr("Saved on this computer {time}. Waits for an earlier change.", time=time),
        "change.sending": lambda: tr("On its way to the service."),
        "change.sent": lambda: tr("Sent {time}.", time=time),
        "change.refused": lambda: tr("Refused: {said}. Your change is kept here.", said=_refusal(params)),
        "change.conflict": lambda: tr(
            "Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.", theirs=_theirs(params.get("theirs"))
        ),
        "change.uncertain": lambda: tr(
            "The connection broke while it was sent. It may have arrived; it is not sent twice by itself."
        ),
    }.get(code)
    return said() if said else code


def _unsent(time: str, goes_next: bool, gate: GateView) -> str:
    saved = tr("Saved on this computer {time}.", time=time)
    if gate.phase is GatePhase.LOCKED:
        return f"{saved} {tr('Goes out once there is a key that works.')}"
    if gate.phase is not GatePhase.OPEN:
        return f"{saved} {tr('Goes out when the pause is over.')}"
    return f"{saved} {tr('Goes out next.') if goes_next else tr('Goes out in its turn.')}"


def _refusal(params: Params) -> str:
    status = params.get("status")
    message = params.get("message")
    own = refusal_words(str(params.get("code") or ""))
    if own and not message:
        return own
    return service_words(str(message) if message else "", status if isinstance(status, int) else None)


def _theirs(value: object) -> str:
    if not isinstance(value, tuple):
        return tr("the record is another")
    pairs = [
        tr("{field} is {value}", field=field_word(field), value=value_words(said))
        for field, said in cast("tuple[tuple[str, object], ...]", value)
    ]
    return tr(", ", "between parts of a line").join(pairs) or tr("the record is another")


def value_words(value: object) -> str:
    """A field's value in a sentence."""
    if value is None:
        return tr("nothing")
    if isinstance(value, bool):
        return status_word("complete" if value else "open")
    return number(value) if isinstance(value, int) else quoted(plain(str(value)))


def closing_words(unsent: int, seconds: float | None) -> str:
    """Said once when the window closes with unsent changes."""
    if seconds is None:
        return tr(
            "{n} changes are saved on this computer and go out at the next start.",
            "",
            unsent,
            one="{n} change is saved on this computer and goes out at the next start.",
        )
    return tr(
        "{n} changes are saved on this computer and go out at the next start ({minutes}).",
        "",
        unsent,
        one="{n} change is saved on this computer and goes out at the next start ({minutes}).",
        minutes=about(seconds),
    )
