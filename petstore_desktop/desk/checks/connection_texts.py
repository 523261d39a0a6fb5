"""Why a service cannot be reached, as data: by the cause that an Unreachable names, what happened and what to do.
The window and the commands say the same."""

from __future__ import annotations

from collections.abc import Mapping


def tr(text: str) -> str:
    """Marks a text for the translators; who says it has it translated."""
    return text


Texts = Mapping[str, tuple[str, str]]

UNREACHABLE: Texts = {
    "key-untried": (
        tr("The service could not be asked about the new key. It is kept, and tried when the service answers."),
        tr("Keep working; it goes on by itself."),
    ),
    "name": (
        tr("There is no computer called {host}."),
        tr("Check the address; a name inside a company may need its network first."),
    ),
    "no-name-service": (
        tr("{host} cannot be looked up: this computer seems to be offline."),
        tr("Connect to a network."),
    ),
    "refused": (
        tr("{host} cannot be reached: nothing answers there. It may be down, or the port wrong."),
        tr("Check the address."),
    ),
    "timeout": (tr("{host} did not answer in time."), tr("The network may be slow, or a firewall in between.")),
    "network": (
        tr("From this network there is no way to {host}."),
        tr("Check the network, or a VPN that may be needed."),
    ),
    "tls-self-signed": (
        tr("The certificate of {host} is self-signed, so this computer does not trust it."),
        tr("If this is the right server, set its authority’s certificate as the connection’s CA file."),
    ),
    "tls-unknown-authority": (
        tr("The certificate of {host} is signed by {issuer}, which this computer does not trust."),
        tr("If this is the right server, set its authority’s certificate as the connection’s CA file."),
    ),
    "tls-expired": (
        tr("The certificate of {host} expired: {until}."),
        tr("Check this computer’s clock. If it is right, the service’s provider must renew the certificate."),
    ),
    "tls-not-yet-valid": (
        tr("The certificate of {host} is not valid yet; it begins: {since}."),
        tr("Check this computer’s clock. If it is right, ask the service’s provider."),
    ),
    "tls-wrong-host": (
        tr("The certificate that {host} shows is not for this name, but for {names}."),
        tr("Check the address: it must have the name that the certificate is for."),
    ),
    "tls-revoked": (
        tr("The certificate of {host} was revoked by its authority."),
        tr("Do not continue. Ask the service’s provider."),
    ),
    "tls-old": (
        tr("{host} offers only outdated encryption, which is no longer safe."),
        tr("The service’s provider must turn on TLS 1.2 or later."),
    ),
    "tls-plain-http": (
        tr("{host} answers without encryption at this port."),
        tr("Check the port in the address; the key is never sent unencrypted."),
    ),
    "tls-broken-off": (
        tr("{host} broke off before the connection was secure."),
        tr("Check the port; a firewall can do this as well."),
    ),
    "tls": (
        tr("No secure connection to {host} is possible: its certificate is not trusted."),
        tr("Ask the service’s provider."),
    ),
    "ca-file-missing": (
        tr("The connection’s CA file is gone: {path}."),
        tr("Put it back, or choose another one for the connection."),
    ),
    "ca-file-unreadable": (tr("The connection’s CA file cannot be read: {path}."), tr("Check its permissions.")),
    "ca-file-too-large": (
        tr("The connection’s CA file is too large: {path}."),
        tr("Choose a file with only the certificates of the authority that the service needs."),
    ),
    "ca-file-no-certificate": (
        tr("The connection’s CA file holds no certificate: {path}."),
        tr("Choose a file in PEM form, with BEGIN CERTIFICATE in it."),
    ),
    "proxy-unusable": (
        tr("The proxy that is set on this computer cannot be used by the program: {proxy}."),
        tr("Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program."),
    ),
    "proxy-unreachable": (
        tr("The proxy that is set on this computer cannot be reached: {proxy}."),
        tr("Check the proxy’s address and the network."),
    ),
    "proxy-tls": (
        tr("The proxy {proxy} is not trusted: no secure connection to it is possible."),
        tr("Ask the proxy’s administrator which certificate it needs."),
    ),
    "proxy-login": (
        tr("The proxy {proxy} needs a user name and password, or rejects those that are set."),
        tr("Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program."),
    ),
    "proxy-forbids": (
        tr("The proxy {proxy} blocks {host}."),
        tr("Ask the proxy’s administrator, or exclude this service (NO_PROXY)."),
    ),
    "proxy-failed": (tr("The proxy {proxy} cannot reach {host}."), tr("Check the address; the service may be down.")),
    "proxy": (tr("The proxy {proxy} did not let the request through to {host}."), tr("Ask the proxy’s administrator.")),
    "another-origin": (tr("This address belongs to another server than the service’s own."), tr("Refresh the list.")),
    "demo-failed": (tr("The demo shop did not start."), tr("Restart the program.")),
}
"""Parameters: host, proxy, path, names, issuer, since, until."""

TRIED_AGAIN = frozenset(
    (
        "no-name-service",
        "refused",
        "timeout",
        "network",
        "tls-broken-off",
        "ca-file-missing",
        "ca-file-unreadable",
        "proxy-unreachable",
        "proxy-failed",
        "proxy",
    )
)
"""Causes after which an open window tries again by itself."""
