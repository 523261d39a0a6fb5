"""Texts for the state of a change, and the reason why it waits, or is stuck; and the names of the choices that a
stuck one leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from petstore_desktop.desk.changes.review import Case, cases_of
from petstore_desktop.domain.changes import ACCEPTED, AS_BEFORE, AS_SENT, HALF_DONE, NEVER_SENT, AddStock
from petstore_desktop.domain.quota import Cause
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.cell import value_text
from petstore_desktop.ui.text.times import about, moment
from petstore_desktop.ui.text.translate import (
    field_word,
    number,
    quoted,
    sentences,
    service_words,
    signed,
    status_word,
    tr,
)
from petstore_desktop.ui.text.waits import saved_words

if TYPE_CHECKING:
    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.desk.desk import Desk


Params = Mapping[str, object]


def change_sentence(code: str, params: Params, now: float, blocked: SendBlock | None) -> str:
    """How far a change has come, by the desk's code."""
    at = params.get("at")
    time = moment(at, now) if isinstance(at, int | float) else ""
    said = {
        "change.unsent": lambda: _unsent(time, bool(params.get("next")), blocked, now),
        "change.job-paused": lambda: tr("Saved on this computer {time}. Its job is paused.", time=time),
        "change.behind-another": lambda: tr(
            "Saved on this computer {time}. Waits for an earlier change that needs attention.", time=time
        ),
        "change.sending": lambda: tr("On its way to the service."),
        "change.sent": lambda: tr("Sent {time}.", time=time),
        "change.found-alike": lambda: tr(
            "Sent {time}. The record may be a colleague’s: it has the values that you entered, but the service never "
            "confirmed yours.",
            time=time,
        ),
        "change.refused": lambda: (
            tr("Not sent: {said}. Your change is kept here.", said=refusal_words(params))
            if is_held_back(params)
            else tr("Refused: {said}. Your change is kept here.", said=refusal_words(params))
        ),
        "change.conflict": lambda: tr(
            "Changed elsewhere meanwhile: {theirs}. Nothing was overwritten.", theirs=_theirs(params.get("theirs"))
        ),
        "change.perhaps-theirs": lambda: tr(
            "Record {id} may be a colleague’s: it looks like yours, but the service never confirmed yours. It is "
            "not deleted unless you choose to.",
            id=plain(str(params.get("id") or "")),
        ),
        "change.uncertain": lambda: tr(
            "The connection broke while it was sent. It may have arrived. The program checks, and sends nothing twice."
        ),
        "change.unshown": lambda: tr(
            "The service’s answer did not show that it was done. The program looks, and sends nothing twice."
        ),
        "change.unsettled": lambda: tr(
            "It may have arrived; the service does not show whether it did. The program does not send it again "
            "by itself."
        ),
        "change.unproven": lambda: _unproven(str(params.get("seen")), params.get("booked"), bool(params.get("denied"))),
        "change.id-known": lambda: tr(
            "The service answered with record {id}, which existed before. Check that record: it may be overwritten.",
            id=plain(str(params.get("id") or "")),
        ),
    }.get(code)
    return said() if said else code


def _unproven(seen: str, booked: object, denied: bool) -> str:
    """The two ways in which it can have come to what the service shows. `booked`: None for what is no booking;
    `denied`: the service said no."""
    if seen == ACCEPTED:
        return tr("The service accepted it, to be done later. When the record was last looked at, it was not done yet.")
    if not isinstance(booked, int):
        return tr(
            "Nothing proves that it was done, and the service shows what was there before. Either yours never "
            "arrived, or it arrived and somebody else set it back."
        )
    mine = signed(booked)
    if seen == AS_SENT and denied:
        return tr(
            "The service said no, and the stock is as with your {booked} all the same. Either it was done, or somebody "
            "else booked the same.",
            booked=mine,
        )
    if seen == AS_SENT:
        return tr(
            "Nothing proves that it was done, and the stock is as with your {booked}. Either it arrived, or it never "
            "did and somebody else booked the same.",
            booked=mine,
        )
    if seen == AS_BEFORE:
        return tr(
            "Nothing proves that it was done, and the stock is as before. Either your {booked} never arrived, or it "
            "arrived and somebody else booked the opposite.",
            booked=mine,
        )
    return tr(
        "Nothing proves that it was done, and the stock is another. Either your {booked} arrived and somebody else "
        "booked too, or it never arrived.",
        booked=mine,
    )


def _unsent(time: str, goes_next: bool, blocked: SendBlock | None, now: float) -> str:
    if blocked is not None:
        return saved_words(time, blocked, now)
    if goes_next:
        return tr("Saved on this computer {time}. Goes out next.", time=time)
    return tr("Saved on this computer {time}. Goes out in its turn.", time=time)


def is_held_back(params: Params) -> bool:
    """Whether the program did not send it."""
    return params.get("code") in NEVER_SENT


def refusal_words(params: Params) -> str:
    """Why the service, or the program for it, said no."""
    status = params.get("status")
    message = params.get("message")
    code = str(params.get("code") or "")
    if code == HALF_DONE:
        return tr("the service did only a part of it. Still as before: {theirs}", theirs=_theirs(params.get("theirs")))
    own = _own_refusal(code, str(message or "")) or _stopped(code, str(message or ""), params.get("theirs"))
    if own:
        return own
    return service_words(str(message) if message else "", status if isinstance(status, int) else None)


_REFUSALS: Mapping[str, Callable[[], str]] = {
    "not-offered": lambda: tr("this service does not offer it"),
    "field-guessed": lambda: tr(
        "the name of one of its fields is a guess. Choose the name under File > Operations > Fields"
    ),
    "key-doubted": lambda: tr(
        "it is not certain which record the service would change by this id. A profile says what its ids mean"
    ),
    "reference-unknown": lambda: tr(
        "no record shows how this service names the category or the pet: by id, by name or otherwise"
    ),
    "quantity-range": lambda: tr("the quantity would be larger than a service can hold"),
    "no-such-record": lambda: tr("the service has no such record"),
    "record-unknown": lambda: tr("the record that it belongs to was never created"),
    "cannot-look": lambda: tr("the service does not show this record, so it cannot be changed safely"),
    "look-too-slow": lambda: tr(
        "there was no look at the record shortly before it, because answers or the limit of requests took too long, "
        "and a change by somebody else could have been overwritten. Sent again, it rests on what was last seen"
    ),
    "look-stored": lambda: tr(
        "a cache answered for the service, so that a change by somebody else could have been overwritten. Sent again, "
        "it rests on what was last seen"
    ),
    "not-shown": lambda: tr("the service did not say that it was done, and nothing was changed"),
    "operation-stopped": lambda: tr(
        "the service did something else than was sent with an earlier change of this kind. Decide about that one, or "
        "send this again"
    ),
    "stayed": lambda: tr("the service answered with the old value"),
    "still-there": lambda: tr("the service says that the record is gone, and still shows it"),
    "gone": lambda: tr("the record is gone from the service"),
    "whole-record-unknown": lambda: tr("the service wants the whole record, and it has not been read yet"),
    "another-record": lambda: tr("the service showed another record than the one asked for"),
    "empty": lambda: tr("the service’s answer was empty"),
    "not-a-list": lambda: tr("the service’s answer held no list"),
    "not-json": lambda: tr("the service’s answer could not be read"),
    "bad-encoding": lambda: tr("the service’s answer could not be read"),
    "web-page": lambda: tr(
        "a web page, such as a login page, answered instead of the service, and nothing was changed"
    ),
    "no-json": lambda: tr("the service’s answer could not be read, and nothing was changed"),
    "error-inside": lambda: tr("the service answered with an error, and nothing was changed"),
    "not-said-done": lambda: tr("the service did not say that it was done, and nothing was changed"),
    "cut-short": lambda: tr("the service’s answer broke off"),
    "too-large": lambda: tr("the service’s answer was too large"),
    "removed": lambda: tr("the service has removed this"),
    "gone-or-removed": lambda: tr("the record is gone, or the service has removed this"),
}


def _stopped(code: str, message: str, theirs: object) -> str:
    """What the service did instead of what was sent, so that nothing more of the kind is sent; empty for others."""
    if code == "another-record" and message:
        done = tr(
            "the service answered with record {id}, which may have been changed instead. Look at both records",
            id=plain(message),
        )
    elif code == "another-value":
        done = tr("the service has something else than was sent: {theirs}", theirs=_theirs(theirs))
    elif code == "emptied" and _is_nothing(theirs):
        done = tr("the service emptied what was not to be changed: {theirs}", theirs=_theirs(theirs))
    elif code in ("emptied", "also-changed"):
        done = tr("the service changed something else as well: {theirs}", theirs=_theirs(theirs))
    else:
        return ""
    return tr("{done}. Nothing more of this kind is sent until you send this again", done=done)


def _own_refusal(code: str, message: str) -> str:
    """Why a change was refused without the service having said so; empty where the service itself refused it."""
    if code == "redirected":
        target = plain(message) or tr("another address")
        return tr("the service redirected it to {target}, which the program does not follow", target=target)
    if code == "unknown-field":
        return tr("records of this kind have no field “{field}”. Discard it, and enter it again", field=plain(message))
    if code == "bad-record":
        return tr("the record in the service’s answer cannot be read: {why}", why=plain(message))
    if code in ("unexpected", "unsendable"):
        return tr("of an unexpected error in the program ({name})", name=plain(message))
    if code == "list-shows-less":
        return tr(
            "it would erase the values of {fields}: the service does not show them, or takes them nowhere",
            fields=plain(message),
        )
    said = _REFUSALS.get(code)
    return said() if said and not message else ""


def _is_nothing(theirs: object) -> bool:
    """Whether the fields hold nothing at all now: no and 0 are values."""
    pairs = cast("tuple[tuple[str, object], ...]", theirs) if isinstance(theirs, tuple) else ()
    return all(value is None for _, value in pairs)


def _theirs(value: object) -> str:
    if not isinstance(value, tuple):
        return tr("the record is different")
    pairs = [
        tr("{field} is {value}", field=field_word(field), value=value_words(said, field))
        for field, said in cast("tuple[tuple[str, object], ...]", value)
    ]
    return tr(", ", "between parts of a line").join(pairs) or tr("the record is different")


def value_words(value: object, field: str) -> str:
    """A field's value in a sentence."""
    if value is None:
        return tr("nothing")
    if isinstance(value, bool) and field != "complete":
        return tr("yes") if value else tr("no")
    if isinstance(value, bool):
        return status_word("complete" if value else "open")
    return number(value) if isinstance(value, int) else quoted(plain(str(value)))


def closing_words(
    unsent: int, seconds: float | None, blocked: SendBlock | None, now: float, *, unkept: bool = False
) -> str:
    """The message when unsent changes are left at closing. `seconds`: until all of them are sent, None if unknown;
    `unkept`: no keyring took the key."""
    saved = tr("{n} changes are saved on this computer.", "", unsent, one="{n} change is saved on this computer.")
    if unkept:
        asked = tr(
            "They go out once you have entered the key again: this computer has no keyring that keeps it.",
            "",
            unsent,
            one="It goes out once you have entered the key again: this computer has no keyring that keeps it.",
        )
        return sentences(saved, asked)
    return f"{saved} {_leaving(unsent, seconds, blocked, now)}"


def _leaving(unsent: int, seconds: float | None, blocked: SendBlock | None, now: float) -> str:
    time = moment(blocked.until, now) if blocked is not None and blocked.until is not None else ""
    cause = None if blocked is None else blocked.cause
    if cause is Cause.LOCKED:
        return tr("The service does not accept the key: unsent changes go out once a key works.")
    if cause is Cause.NO_KEY:
        return tr("There is no key yet, so nothing is sent (File > Change key).")
    if cause is Cause.BANNED and time:
        return tr("The key is banned: unsent changes go out when the program is open after {time}.", time=time)
    if cause is Cause.SHARE and time:
        return tr(
            "The rest of today’s requests is kept for you: changes go out when the program is open after {time}.",
            time=time,
        )
    if cause is Cause.DAY and time:
        return tr("Today’s requests are used up: changes go out when the program is open after {time}.", time=time)
    if seconds is None:
        return tr("They go out at the next start.", "", unsent, one="It goes out at the next start.")
    return tr(
        "They go out at the next start ({minutes}).",
        "",
        unsent,
        one="It goes out at the next start ({minutes}).",
        minutes=about(seconds),
    )


def stands_words(case: Case, now: float) -> str:
    """Why a change is stuck, and when both sides changed the record."""
    acted, seen = moment(case.acted_at, now), moment(case.seen_at, now)
    if case.mark == "conflict":
        if isinstance(case.stock, AddStock):
            return tr("Theirs may include it already. Keep mine adds it to theirs.")
        if case.sentence.code == "change.perhaps-theirs":
            return tr("It may be a colleague’s. Keep mine deletes it.")
        return tr("Yours of {acted}; changed elsewhere, seen {seen}.", acted=acted, seen=seen)
    if case.mark == "uncertain" and case.kind == "create":
        return tr("Sent {seen}, no answer came. Look in the list whether it is there.", seen=seen)
    said = change_sentence(case.sentence.code, case.sentence.params, now, None)
    if case.sentence.code != "change.unproven":
        return said
    return sentences(said, tr("Send again sends it now; It was done sends nothing."))


def stuck_words(desk: Desk, ref: Ref, column: Column) -> str:
    """The stuck change of a cell: mine, theirs, and the reason; empty if there is none. The gutter stands for the whole
    row."""
    stock = column.kind == "stock"
    changes = desk.overlay.changes_of(Ref(Resource.INVENTORY, ref.key) if stock else ref)
    parts: list[str] = []
    for case in cases_of(desk.shop, changes, None):
        lines = [line for line in case.lines if line.name == ("stock" if stock else column.field)]
        if column.kind == "gutter" and not parts:
            lines = list(case.lines[:1])
        for line in lines:
            theirs = tr("not known") if line.theirs is None else value_text(line.theirs)
            values = tr("Mine: {mine}. At the shop: {theirs}.", mine=value_text(line.mine), theirs=theirs)
            parts += [values, change_sentence(case.sentence.code, case.sentence.params, case.seen_at, None)]
    return sentences(*parts)


def choice_words(marks: set[str]) -> tuple[str, str]:
    """What the two choices are called for cases that stand like this."""
    if marks == {"uncertain"}:
        return tr("Send again"), tr("It was done")
    if marks == {"refused"}:
        return tr("Send again"), tr("Discard mine")
    return tr("Keep mine"), tr("Take theirs")


def decided_words(mine: int, theirs: int, others: int) -> str:
    """The toast about a decision."""
    if theirs == others == 0:
        return tr("{n} decided: yours are sent again", "", mine, one="Decided: yours is sent again")
    if mine == others == 0:
        return tr("{n} decided: yours are discarded", "", theirs, one="Decided: yours is discarded")
    n = mine + theirs + others
    return tr("{n} decided", "", n, one="Decided")
