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


def _ca_file() -> str:
    return tr("If this is the right server, set its authority’s certificate as the connection’s CA file.")


_UNREACHABLE: Mapping[str, tuple[Say, Words]] = {
    "key-untried": (
        lambda _: tr(
            "The service could not be asked about the new key. It is kept, and tried when the service answers."
        ),
        lambda: tr("Keep working; it goes on by itself."),
    ),
    "name": (
        lambda told: tr("There is no computer called {host}.", **told),
        lambda: tr("Check the address; a name inside a company may need its network first."),
    ),
    "no-name-service": (
        lambda told: tr("{host} cannot be looked up: this computer seems to be offline.", **told),
        lambda: tr("Connect to a network. The program tries again by itself."),
    ),
    "refused": (
        lambda told: tr("{host} cannot be reached: nothing answers there. It may be down, or the port wrong.", **told),
        lambda: tr("Check the address. The program tries again by itself."),
    ),
    "timeout": (
        lambda told: tr("{host} did not answer in time.", **told),
        lambda: tr("The network may be slow, or a firewall in between. The program tries again by itself."),
    ),
    "network": (
        lambda told: tr("From this network there is no way to {host}.", **told),
        lambda: tr("Check the network, or a VPN that may be needed. The program tries again by itself."),
    ),
    "tls-self-signed": (
        lambda told: tr("The certificate of {host} is self-signed, so this computer does not trust it.", **told),
        _ca_file,
    ),
    "tls-unknown-authority": (
        lambda told: tr("The certificate of {host} is signed by {issuer}, which this computer does not trust.", **told),
        _ca_file,
    ),
    "tls-expired": (
        lambda told: tr("The certificate of {host} expired: {until}.", **told),
        lambda: tr("Check this computer’s clock. If it is right, the service’s provider must renew the certificate."),
    ),
    "tls-not-yet-valid": (
        lambda told: tr("The certificate of {host} is not valid yet; it begins: {since}.", **told),
        lambda: tr("Check this computer’s clock. If it is right, ask the service’s provider."),
    ),
    "tls-wrong-host": (
        lambda told: tr("The certificate that {host} shows is not for this name, but for {names}.", **told),
        lambda: tr("Check the address: it must have the name that the certificate is for."),
    ),
    "tls-revoked": (
        lambda told: tr("The certificate of {host} was revoked by its authority.", **told),
        lambda: tr("Do not continue. Ask the service’s provider."),
    ),
    "tls-old": (
        lambda told: tr("{host} offers only outdated encryption, which is no longer safe.", **told),
        lambda: tr("The service’s provider must turn on TLS 1.2 or later."),
    ),
    "tls-plain-http": (
        lambda told: tr("{host} answers without encryption at this port.", **told),
        lambda: tr("Check the port in the address; the key is never sent unencrypted."),
    ),
    "tls-broken-off": (
        lambda told: tr("{host} broke off before the connection was secure.", **told),
        lambda: tr("Check the port; a firewall can do this as well. The program tries again by itself."),
    ),
    "tls": (
        lambda told: tr("No secure connection to {host} is possible: its certificate is not trusted.", **told),
        lambda: tr("Ask the service’s provider."),
    ),
    "ca-file-missing": (
        lambda told: tr("The connection’s CA file is gone: {path}.", **told),
        lambda: tr("Put it back, or choose another one for the connection. The program tries again by itself."),
    ),
    "ca-file-unreadable": (
        lambda told: tr("The connection’s CA file cannot be read: {path}.", **told),
        lambda: tr("Check its permissions. The program tries again by itself."),
    ),
    "ca-file-too-large": (
        lambda told: tr("The connection’s CA file is too large: {path}.", **told),
        lambda: tr("Choose a file with only the certificates of the authority that the service needs."),
    ),
    "ca-file-no-certificate": (
        lambda told: tr("The connection’s CA file holds no certificate: {path}.", **told),
        lambda: tr("Choose a file in PEM form, with BEGIN CERTIFICATE in it."),
    ),
    "proxy-unusable": (
        lambda told: tr("The proxy that is set on this computer cannot be used by the program: {proxy}.", **told),
        lambda: tr("Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program."),
    ),
    "proxy-unreachable": (
        lambda told: tr("The proxy that is set on this computer cannot be reached: {proxy}.", **told),
        lambda: tr("Check the proxy’s address and the network. The program tries again by itself."),
    ),
    "proxy-tls": (
        lambda told: tr("The proxy {proxy} is not trusted: no secure connection to it is possible.", **told),
        lambda: tr("Ask the proxy’s administrator which certificate it needs."),
    ),
    "proxy-login": (
        lambda told: tr("The proxy {proxy} needs a user name and password, or rejects those that are set.", **told),
        lambda: tr("Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program."),
    ),
    "proxy-forbids": (
        lambda told: tr("The proxy {proxy} blocks {host}.", **told),
        lambda: tr("Ask the proxy’s administrator, or exclude this service (NO_PROXY)."),
    ),
    "proxy-failed": (
        lambda told: tr("The proxy {proxy} cannot reach {host}.", **told),
        lambda: tr("Check the address; the service may be down. The program tries again by itself."),
    ),
    "proxy": (
        lambda told: tr("The proxy {proxy} did not let the request through to {host}.", **told),
        lambda: tr("Ask the proxy’s administrator. The program tries again by itself."),
    ),
    "another-origin": (
        lambda _: tr("This address belongs to another server than the service’s own."),
        lambda: tr("Refresh the list."),
    ),
    "demo-failed": (lambda _: tr("The demo shop did not start."), lambda: tr("Restart the program.")),
}

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
    told = _told(params)
    known = _UNREACHABLE.get(why)
    if known is None:
        return _capital(tr("{host} cannot be reached.", **told)), _again()
    what, do = known
    return _capital(what(told)), do()


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
