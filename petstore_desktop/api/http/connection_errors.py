"""Why no connection or no answer came: what httpx, the system and OpenSSL raise, as one word and what belongs to it.

Never an error's own text: it may hold an address or a header.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast

import httpx

from petstore_desktop.api.http.certificates import presented
from petstore_desktop.api.http.proxies import Proxy
from petstore_desktop.domain.errors import Unreachable

_Error = TypeVar("_Error", bound=BaseException)
Params: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Way:
    """The way to the service: its `place` (host, and port if it is not the usual one), the proxy, if any, and how far a
    connection came: `tunnelled`, past the proxy; `securing`, the TLS handshake had begun."""

    place: str
    proxy: Proxy | None = None
    tunnelled: bool = False
    securing: bool = False


def unreachable(error: BaseException, way: Way) -> Unreachable:
    """The error for a request of which nothing was sent. Its `why` is one of `reason_of`, or exactly one of:

    no-name-service; tls-self-signed, tls-unknown-authority, tls-expired, tls-not-yet-valid, tls-wrong-host,
    tls-revoked, tls-old, tls-plain-http, tls-broken-off; proxy-unusable, proxy-unreachable, proxy-tls, proxy-login,
    proxy-forbids, proxy-failed. Parameters: `host`, always; `proxy`, without its password; `names`, `issuer`, `since`
    and `until` (UTC epoch seconds) of the certificate.
    """
    why = reason_of(error)
    params: Params = {"host": way.place}
    if way.proxy is not None and not way.tunnelled:
        why = _at_proxy(error, why, securing=way.securing)
        params["proxy"] = way.proxy.shown
    elif why == "tls":
        why = _tls(error)
        params |= presented()
    elif why == "name":
        why = "no-name-service" if _is_mute(error) else why
        params["host"] = way.place.partition(":")[0]  # a port has no part in it
    elif way.securing and why in ("network", "broken", "protocol"):
        why = "tls-broken-off"
    return Unreachable(why=why, **params)


def reason_of(error: BaseException) -> str:
    """Why no connection or no answer came, in one word: proxy, tls, name, refused, timeout, network, protocol,
    broken."""
    chain = tuple(_chain(error, 0))
    kinds: tuple[tuple[type[BaseException], str], ...] = (
        (httpx.ProxyError, "proxy"),
        (ssl.SSLError, "tls"),
        (socket.gaierror, "name"),
        (ConnectionRefusedError, "refused"),
        (httpx.TimeoutException, "timeout"),
        (TimeoutError, "timeout"),
        (httpx.ConnectError, "network"),
        (httpx.ProtocolError, "protocol"),
    )
    return next((word for kind, word in kinds if any(isinstance(link, kind) for link in chain)), "broken")


# ---------------------------------------------------------------- the proxy

_PROXY_SAID: Mapping[str, str] = {"407": "proxy-login", "403": "proxy-forbids"}


def _at_proxy(error: BaseException, why: str, *, securing: bool) -> str:
    refused = _find(error, httpx.ProxyError)
    if refused is not None:  # httpx tells the status of the answer to CONNECT by its text alone
        status = str(refused)[:3]
        known = _PROXY_SAID.get(status)
        return known or ("proxy-failed" if status.startswith("5") else "proxy")
    if why == "tls" or (securing and why == "network"):
        return "proxy-tls"
    return "proxy-unreachable" if why in ("name", "refused", "timeout", "network") else "proxy"


# ---------------------------------------------------------------- TLS

_BY_VERIFY_CODE: Mapping[int, str] = {
    # OpenSSL, X509_STORE_CTX_get_error(3ssl)
    2: "tls-unknown-authority",
    9: "tls-not-yet-valid",
    10: "tls-expired",
    18: "tls-self-signed",
    19: "tls-unknown-authority",
    20: "tls-unknown-authority",
    21: "tls-unknown-authority",
    23: "tls-revoked",
    62: "tls-wrong-host",
    64: "tls-wrong-host",
    66: "tls-old",
    67: "tls-old",
    68: "tls-old",
    # Windows, CERT_CHAIN_POLICY_STATUS
    0x800B0101: "tls-expired",
    0x800B0109: "tls-unknown-authority",
    0x800B010A: "tls-unknown-authority",
    0x800B010C: "tls-revoked",
    0x800B010F: "tls-wrong-host",
    0x80092010: "tls-revoked",
    # macOS, SecBase.h
    -67602: "tls-wrong-host",
    -67818: "tls-expired",
    -67819: "tls-not-yet-valid",
    -67820: "tls-revoked",
    -67843: "tls-unknown-authority",
}
"""What each system says of a certificate that it does not trust; truststore passes it on as it is."""

_BY_REASON: Mapping[str, str] = {
    "WRONG_VERSION_NUMBER": "tls-plain-http",
    "HTTP_REQUEST": "tls-plain-http",
    "HTTPS_PROXY_REQUEST": "tls-plain-http",
    "PACKET_LENGTH_TOO_LONG": "tls-plain-http",
    "UNSUPPORTED_PROTOCOL": "tls-old",
    "NO_PROTOCOLS_AVAILABLE": "tls-old",
    "TLSV1_ALERT_PROTOCOL_VERSION": "tls-old",
    "UNSAFE_LEGACY_RENEGOTIATION_DISABLED": "tls-old",
    "DH_KEY_TOO_SMALL": "tls-old",
    "UNEXPECTED_EOF_WHILE_READING": "tls-broken-off",
}
"""What OpenSSL says of a handshake that failed for another reason than the certificate."""


def _tls(error: BaseException) -> str:
    checked = _find(error, ssl.SSLCertVerificationError)
    if checked is not None:
        return _BY_VERIFY_CODE.get(getattr(checked, "verify_code", 0), "tls")
    failed = _find(error, ssl.SSLError)
    if isinstance(failed, ssl.SSLEOFError):
        return "tls-broken-off"
    return _BY_REASON.get(getattr(failed, "reason", None) or "", "tls")


# ---------------------------------------------------------------- the chain of errors

_MUTE = (socket.EAI_AGAIN, socket.EAI_FAIL)
"""Nobody answered who could know the name (getaddrinfo(3)); a name that nobody has is another matter."""


_WAITING = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""Not errors: OpenSSL waits for bytes. A cancelled wait has one of them as its context."""


def _is_mute(error: BaseException) -> bool:
    found = _find(error, socket.gaierror)
    return found is not None and found.errno in _MUTE


def _find(error: BaseException, kind: type[_Error]) -> _Error | None:
    return next((link for link in _chain(error, 0) if isinstance(link, kind)), None)


def _chain(error: BaseException, depth: int) -> list[BaseException]:
    """An error with all that caused it."""
    found = [error]
    if depth > 8:
        return found
    causes = [error.__cause__ or error.__context__]
    if isinstance(error, BaseExceptionGroup):
        causes += cast("tuple[BaseException, ...]", error.exceptions)
    for cause in causes:
        if cause is not None and not isinstance(cause, _WAITING):
            found += _chain(cause, depth + 1)
    return found
