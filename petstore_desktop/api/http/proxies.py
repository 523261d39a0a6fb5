"""Which proxy stands between this computer and a service: what the environment says (HTTPS_PROXY, ALL_PROXY, NO_PROXY),
else the system's own settings on Windows and macOS. Never one for this computer itself."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from msgspec import Struct

from petstore_desktop import log
from petstore_desktop.api.address import host_of, is_loopback

_SPOKEN = ("http", "https")
"""How the program can speak to a proxy: SOCKS is none of it."""


class Proxy(Struct, frozen=True):
    """One proxy. `shown`: its address without user name and password, for people; `usable`: whether the program can
    speak to it."""

    shown: str
    usable: bool
    url: str
    """With user name and password, for the connection alone."""

    def __repr__(self) -> str:
        return f"Proxy({self.shown!r}, {self.usable!r})"


def proxy_for(url: str) -> Proxy | None:
    """The proxy through which an address is asked, None where it is asked directly.

    Requests over https go through it in a tunnel (CONNECT, RFC 9110, 9.3.6): it learns host and port, never the key.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or _is_excepted(host, parts.port or 443):
        return None
    known = getproxies()
    text = (known.get(parts.scheme) or known.get("all") or "").strip()
    return _proxy(text) if text else None


def _proxy(text: str) -> Proxy:
    url = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(url)
        host, port, password = host_of(parts.hostname or ""), parts.port, parts.password
    except ValueError:
        return Proxy("?", usable=False, url="")
    if password:
        log.keep_secret(password)
        log.keep_secret(unquote(password))
    name = f"[{host}]" if ":" in host else host
    shown = f"{parts.scheme}://{name}" if port is None else f"{parts.scheme}://{name}:{port}"
    return Proxy(shown, bool(host) and parts.scheme in _SPOKEN and url.isprintable(), url)


def _is_excepted(host: str, port: int) -> bool:
    """Whether the settings except this host. Beside the forms that Python knows (names, suffixes, ports, `*`) a network
    may be named by its prefix, `10.0.0.0/8`, as other programs take it."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return bool(proxy_bypass(host)) or bool(proxy_bypass(place)) or _is_in_network(host)


def _is_in_network(host: str) -> bool:
    listed = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in listed.split(","):
        try:
            if address in ipaddress.ip_network(entry.strip(), strict=False):
                return True
        except ValueError:
            continue  # a name
    return False
