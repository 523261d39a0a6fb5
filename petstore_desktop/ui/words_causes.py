"""Causes in words: why the service could not be reached, what the keyring did, why a change cannot be sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.ui.words import tr

Words = Callable[[], str]

_UNREACHABLE: Mapping[str, Words] = {
    "name": lambda: tr("There is no computer of this name: check the address, or the network."),
    "refused": lambda: tr("Nothing answers at this address: the service may be down, or the port is another."),
    "timeout": lambda: tr("It did not answer in time."),
    "tls": lambda: tr("Its certificate is not trusted by this computer, so nothing was sent to it."),
    "proxy": lambda: tr("The proxy that is set on this computer did not let it through."),
    "demo-failed": lambda: tr("The demo shop did not start."),
}

_KEYRING: Mapping[str, tuple[Words, Words]] = {
    "keyring-absent": (
        lambda: tr("This computer has no keyring that keeps secrets."),
        lambda: tr("Set one up to have the key kept; until then it is asked for at each start."),
    ),
    "keyring-locked": (
        lambda: tr("The keyring is locked."),
        lambda: tr("Unlock it, then enter the key again."),
    ),
    "keyring-silent": (
        lambda: tr("The keyring did not answer within five seconds."),
        lambda: tr("See whether it waits for a password in another window, then enter the key again."),
    ),
    "keyring-lost": (
        lambda: tr("The keyring took the key, but did not give it back."),
        lambda: tr("Look into the keyring’s own program, then enter the key again."),
    ),
}

_REFUSALS: Mapping[str, Words] = {
    "not-offered": lambda: tr("this service does not offer it"),
    "quantity-range": lambda: tr("the quantity would be larger than a service can hold"),
    "no-such-record": lambda: tr("the service has no such record"),
    "record-unknown": lambda: tr("the record that it belongs to was never created"),
    "cannot-look": lambda: tr("the service does not show this record, so it cannot be changed safely"),
    "gone": lambda: tr("the record is gone from the service"),
}


def unreachable_words(why: str) -> str:
    """Why nothing answered, from the cause that an Unreachable names; empty for an unknown one."""
    said = _UNREACHABLE.get(why)
    return said() if said else ""


def keyring_words(code: str) -> tuple[str, str]:
    """What the keyring did, and what to do."""
    what, do = _KEYRING.get(
        code,
        (
            lambda: tr("This computer’s keyring refused the key."),
            lambda: tr("Unlock or set up the keyring, then enter the key again."),
        ),
    )
    return what(), do()


def refusal_words(code: str) -> str:
    """Why a change was refused here, without the service; empty where the service itself refused it."""
    said = _REFUSALS.get(code)
    return said() if said else ""
