"""Base addresses: which are allowed, and how the addresses of requests are made from them."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit, urlunsplit

from petstore_desktop.domain.errors import BadInput

_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK = "127.0.0.1"


def clean_base_url(text: str) -> str:
    """A base address as a person gave it, without trailing slash, query and fragment, its host in the one form that
    stands for all of its spellings (see `host_of`), and without the usual port.

    Raises BadInput: `address-unusable` for what is no http(s) address, `address-insecure` for plain http to anything
    but this computer, `address-with-credentials` for `user:password@`.
    """
    try:
        parts = urlsplit(text.strip())
        host, port = host_of(parts.hostname or ""), parts.port
    except ValueError:
        raise BadInput("address-unusable", address=text) from None
    if parts.scheme not in _DEFAULT_PORTS or not host or port == 0 or any(letter.isspace() for letter in text.strip()):
        raise BadInput("address-unusable", address=text)
    if parts.username is not None or parts.password is not None:
        raise BadInput("address-with-credentials", host=host)
    if parts.scheme == "http" and not is_loopback(host):
        raise BadInput("address-insecure", address=text, host=host)
    name = f"[{host}]" if ":" in host else host
    place = name if port is None or port == _DEFAULT_PORTS[parts.scheme] else f"{name}:{port}"
    return urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))


def host_of(name: str) -> str:
    """The form of a host's name that its spellings have in common: lower case, international names in ASCII (RFC 5891),
    without the dot of the root at its end, numeric addresses in their shortest form. Raises ValueError for none."""
    name = name.removesuffix(".")
    if ".." in name or name.endswith("."):
        raise ValueError(f"an empty label: {name!r}")
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    if name.isascii():
        return name.lower()
    from idna import encode  # late: few hosts have such a name, and its tables take their time

    return encode(name, uts46=True).decode("ascii").removesuffix(".")


def is_loopback(host: str) -> bool:
    """Whether a host name is this computer without asking anyone (RFC 6761, 6.3; RFC 1122, 3.2.1.3)."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an http(s) address (RFC 6454); None for anything else."""
    try:
        parts = urlsplit(url)
        host = host_of(parts.hostname or "")
        if parts.scheme not in _DEFAULT_PORTS or not host or parts.username is not None:
            return None
        return parts.scheme, host, _DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        return None


def origin_text(url: str) -> str:
    """The origin as text, `https://host:443`; empty for none."""
    return _text(origin_of(url))


def gate_origin(url: str) -> str:
    """The origin as text, the key under which gates and read data are stored; all loopback names count as one host.
    `origin_of`, which decides where a request may go, tells them apart."""
    origin = origin_of(url)
    if origin is not None and origin[1] in ("localhost", "::1"):
        origin = origin[0], _LOOPBACK, origin[2]
    return _text(origin)


def _text(origin: tuple[str, str, int] | None) -> str:
    if origin is None:
        return ""
    scheme, host, port = origin
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def service_of(url: str) -> str:
    """The service at a base address as text, the key of its stored data: another path on the same host may be another
    shop."""
    return gate_origin(url) + urlsplit(url).path.rstrip("/")


def fill(path: str, value: object | None) -> str:
    """A path with its placeholder, if it has one, replaced by a percent-encoded value."""
    before, brace, rest = path.partition("{")
    if not brace:
        return path
    return f"{before}{quote(str(value), safe='')}{rest.partition('}')[2]}"


def resolved(current: str, target: str) -> str:
    """Resolve a Location (RFC 9110, 10.2.2) for display; an invalid one is returned unchanged."""
    try:
        return urljoin(current, target) if target else ""
    except ValueError:
        return target


def same_origin_target(current: str, target: str) -> str | None:
    """A next address, resolved against the present one; None where it leads to another origin or is no address."""
    try:
        resolved = urljoin(current, target)
    except ValueError:
        return None
    origin = origin_of(resolved)
    return resolved if origin is not None and origin == origin_of(current) else None


def below_origin(url: str) -> str:
    """Path and query of an address, which stay the same when the service moves to another host or port."""
    parts = urlsplit(url)
    return urlunsplit(("", "", "/" + parts.path.lstrip("/"), parts.query, ""))


def with_query(url: str, params: Mapping[str, str]) -> str:
    """The address with these query parameters, which replace any of the same name."""
    parts = urlsplit(url)
    kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in params]
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode([*kept, *params.items()]), ""))


def with_missing(url: str, params: Mapping[str, str]) -> str:
    """The address with those of these query parameters that it does not have; as it is where it has them all."""
    named = {name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}
    missing = {name: value for name, value in params.items() if name not in named}
    return with_query(url, missing) if missing else url


def without_query(url: str, name: str) -> str:
    """The address without one query parameter."""
    parts = urlsplit(url)
    kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != name]
    return urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(kept), ""))
