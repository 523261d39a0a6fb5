"""A service's address while it is typed: what is wrong with its form, as far as more typing cannot mend it."""

from __future__ import annotations

from petstore_desktop.api.address import clean_base_url
from petstore_desktop.domain.errors import BadInput

_SCHEMES = ("https://", "http://")


def completed(text: str) -> str:
    """The address as it is meant: without space around it, and with https:// where no scheme was typed."""
    text = text.strip()
    return text if not text or "://" in text else f"https://{text}"


def problem(text: str, *, typing: bool = False) -> str:
    """The code of what is wrong with it, empty if nothing is; `typing`: it is not finished yet."""
    text = text.strip()
    if typing and any(scheme.startswith(text.lower()) for scheme in _SCHEMES):
        return ""
    try:
        clean_base_url(completed(text))
    except BadInput as error:
        # A host that is being typed is no loopback address yet: http://l
        return "" if typing and error.code == "address-insecure" and _may_become_loopback(text) else error.code
    return ""


def _may_become_loopback(text: str) -> bool:
    host = text.partition("://")[2]
    return any(own.startswith(host) for own in ("localhost", "127.0.0.1", "[::1]"))
