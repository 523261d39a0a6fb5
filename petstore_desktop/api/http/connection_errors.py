"""Why no connection or no answer came: what httpx, the system and OpenSSL raise, as one word and what belongs to it.

Never an error's own text: it may hold an address or a header.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Mapping
from typing import TypeAlias, TypeVar, cast

import httpx
from msgspec import Struct

from petstore_desktop.api.http.certificates import presented
from petstore_desktop.api.http.proxies import Proxy
from petstore_desktop.domain.errors import Unreachable

_Error = TypeVar("_Error", bound=BaseException)
Params: TypeAlias = dict[str, object]


class ServiceRoute(Struct, frozen=True):
    """Route to the service: its `place` (host, and port if it is not the usual one), the proxy, if any, and how far a
    connection came: `tunnelled`, past the proxy; `securing`, the TLS handshake had begun."""

    place: str
    proxy: Proxy | None = None
    tunnelled: bool = False
    securing: bool = False


def unreachable(error: BaseException, route: ServiceRoute) -> Unreachable:
    """The error for a request that was not sent. Its `why` is one of `reason_of`, or exactly one of:

    no-name-service; tls-self-signed, tls-unknown-authority, tls-expired, tls-not-yet-valid, tls-wrong-host,
    tls-revoked, tls-old, tls-plain-http, tls-broken-off; proxy-unusable, proxy-unreachable, proxy-tls, proxy-login,
    proxy-forbids, proxy-failed. Parameters: `host`, always; `proxy`, without its password; `names`, `issuer`, `since`
    and `until` (UTC epoch seconds) of the certificate.
    """
    why = reason_of(error)
    params: Params = {"host": route.place}
    if route.proxy is not None and not route.tunnelled:
        why = _at_proxy(error, why, securing=route.securing)
        params["proxy"] = route.proxy.shown
    elif why == "tls":
        certificate = presented()
        why = _by_certificate(_tls(error), own=bool(certificate.pop("own", False)), since=certificate.get("since"))
        params |= certificate
    elif why == "name":
        why = "no-name-service" if _is_mute(error) else why
        params["host"] = route.place.partition(":")[0]  # a port has no part in it
    elif route.securing and why in ("network", "broken", "protocol"):
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

_VERIFY_CODES: Mapping[str, tuple[int, ...]] = {
    "tls-unknown-authority": (2, 19, 20, 21, 0x800B0109, 0x800B010A, -67843),
    "tls-self-signed": (18,),
    "tls-not-yet-valid": (9, -67819),
    "tls-expired": (10, 0x800B0101, -67818),
    "tls-revoked": (23, 0x800B010C, 0x80092010, -67820),
    "tls-wrong-host": (62, 64, 0x800B010F, -67602),
    "tls-old": (66, 67, 68),
}
"""What each system says of a certificate that it does not trust; truststore passes it on as it is. Small numbers are
OpenSSL's (X509_STORE_CTX_get_error(3ssl)), 0x80... those of Windows (CERT_CHAIN_POLICY_STATUS), negative ones those of
macOS (SecBase.h)."""


def _by_certificate(why: str, *, own: bool, since: object) -> str:
    """The same more closely, by the certificate itself: Windows has one word for those that are no longer valid and for
    those that are not yet, and one for unknown authorities and for certificates that vouch for themselves."""
    if why == "tls-expired" and isinstance(since, float) and since > time.time():
        return "tls-not-yet-valid"
    return "tls-self-signed" if why == "tls-unknown-authority" and own else why


_REASONS: Mapping[str, tuple[str, ...]] = {
    "tls-plain-http": ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "PACKET_LENGTH_TOO_LONG"),
    "tls-old": (
        *("UNSUPPORTED_PROTOCOL", "NO_PROTOCOLS_AVAILABLE", "TLSV1_ALERT_PROTOCOL_VERSION"),
        *("UNSAFE_LEGACY_RENEGOTIATION_DISABLED", "DH_KEY_TOO_SMALL"),
    ),
    "tls-broken-off": ("UNEXPECTED_EOF_WHILE_READING",),
}
"""What OpenSSL says of a handshake that failed for another reason than the certificate."""


def _tls(error: BaseException) -> str:
    checked = _find(error, ssl.SSLCertVerificationError)
    if checked is not None:
        code = getattr(checked, "verify_code", 0)
        return next((why for why, codes in _VERIFY_CODES.items() if code in codes), "tls")
    failed = _find(error, ssl.SSLError)
    if isinstance(failed, ssl.SSLEOFError | ssl.SSLZeroReturnError):  # the same, by the version of Python
        return "tls-broken-off"
    reason = getattr(failed, "reason", None)
    return next((why for why, reasons in _REASONS.items() if reason in reasons), "tls")


# ---------------------------------------------------------------- the chain of errors

_MUTE = (socket.EAI_AGAIN, socket.EAI_FAIL)
"""No name server answered (getaddrinfo(3)); that a name does not exist is another error."""


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
