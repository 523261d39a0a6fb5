"""Causes in words: why the service could not be reached, what the keyring did, why a change cannot be sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.times import full_day, local
from petstore_desktop.ui.text.translate import tr

Words = Callable[[], str]

Told = Mapping[str, str]
"""What an Unreachable says beside its cause: host, proxy, path, names, issuer, since, until; never empty."""
Say = Callable[[Told], str]


def _again() -> str:
    return tr("The program tries again by itself.")


_KEYRING: Mapping[str, tuple[Words, Words]] = {
    "keyring-absent": (
        lambda: tr("This computer has no keyring that can store a key."),
        lambda: tr("Set one up to store the key. Until then the program asks for it at each start."),
    ),
    "keyring-locked": (
        lambda: tr("The keyring is locked."),
        lambda: tr("Unlock it, then enter the key again."),
    ),
    "keyring-silent": (
        lambda: tr("The keyring did not answer within five seconds."),
        lambda: tr("Check whether another window asks for its password, then enter the key again."),
    ),
    "keyring-lost": (
        lambda: tr("The keyring took the key, but did not give it back."),
        lambda: tr("Check the keyring’s own program, then enter the key again."),
    ),
    "keyring-ended": (
        lambda: tr("The keyring stopped while it was asked."),
        lambda: tr("Start it again, or log in again, then enter the key."),
    ),
    "keyring-refused": (
        lambda: tr("This computer’s keyring refused the key."),
        lambda: tr("Unlock or set up the keyring, then enter the key again."),
    ),
}

_REFUSALS: Mapping[str, Words] = {
    "not-offered": lambda: tr("this service does not offer it"),
    "quantity-range": lambda: tr("the quantity would be larger than a service can hold"),
    "no-such-record": lambda: tr("the service has no such record"),
    "record-unknown": lambda: tr("the record that it belongs to was never created"),
    "cannot-look": lambda: tr("the service does not show this record, so it cannot be changed safely"),
    "look-too-slow": lambda: tr(
        "the service takes too long to show the current value, so a change by somebody else could be "
        "overwritten. Sent again, it rests on the value last seen"
    ),
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


def unreachable_words(why: str, params: Mapping[str, object]) -> tuple[str, str]:
    """Why nothing answered, and what to do, from the cause that an Unreachable names and its parameters."""
    from petstore_desktop.desk.checks.connection_texts import TRIED_AGAIN, UNREACHABLE  # late: nothing fails so early

    told = _told(params)
    if why not in UNREACHABLE:
        return _capital(tr("{host} cannot be reached.", **told)), _again()
    what, do = (tr(text, **told) for text in UNREACHABLE[why])
    return _capital(what), f"{do} {_again()}" if why in TRIED_AGAIN else do


def _told(params: Mapping[str, object]) -> Told:
    unsaid = {
        "host": tr("the service"),
        "proxy": tr("that is set on this computer"),
        "path": tr("not said"),
        "names": tr("another one"),
        "issuer": tr("an authority"),
        "since": tr("on a later day"),
        "until": tr("on an earlier day"),
    }
    said = {name: plain(str(params[name])) for name in unsaid if params.get(name)}
    for name in ("since", "until"):
        moment = params.get(name)
        if isinstance(moment, float):
            said[name] = full_day(local(moment).date())
    return {**unsaid, **said}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith(tr("the service")) else text


def redirect_words(target: str) -> tuple[str, str, str]:
    """The three sentences about a redirect."""
    return (
        tr("The service redirects to another address: {target}.", target=plain(target))
        if target
        else tr("The service redirects, but does not say where to."),
        tr("The program does not follow: neither the request nor the key was sent there."),
        tr("If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one."),
    )


def keyring_words(code: str) -> tuple[str, str]:
    """What the keyring did, and what to do."""
    what, do = _KEYRING.get(code, _KEYRING["keyring-refused"])
    return what(), do()


def refusal_words(code: str, message: str = "") -> str:
    """Why a change was refused without the service having said so; empty where the service itself refused it."""
    if code == "redirected":
        target = plain(message) or tr("another address")
        return tr("the service redirected it to {target}, which the program does not follow", target=target)
    if code == "list-shows-less":
        return tr("the service’s list does not show {fields}: their values would be erased", fields=plain(message))
    said = _REFUSALS.get(code)
    return said() if said and not message else ""
