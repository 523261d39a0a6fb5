"""Marks of age and firmness at an operation: deprecated, sunset, beta, experimental, in every spelling in use."""

from __future__ import annotations

import datetime
import email.utils
from collections.abc import Iterator, Mapping

from petstore_desktop.contract.document import Node, as_list, as_map
from petstore_desktop.contract.model import Stability
from petstore_desktop.contract.params import plain

_SUNSET_KEYS = frozenset(
    {
        "xsunset",
        "xsunsetdate",
        "xsunsetat",
        "xsunseton",
        "xdeprecatedsunset",
        "xdeprecationsunset",
        "xapisunset",
        "xremovaldate",
        "xendoflife",
        "xeol",
    }
)
_NESTED_KEYS = frozenset({"xdeprecated", "xdeprecation", "xlifecycle"})
_STABILITY_KEYS = frozenset(
    {
        "xstability",
        "xstabilitylevel",
        "xmaturity",
        "xmaturitylevel",
        "xstate",
        "xstatus",
        "xlifecycle",
        "xapistatus",
        "xreleasestatus",
        "xbadge",
        "xbadges",
    }
)
_LEVELS: Mapping[str, Stability] = {
    "beta": Stability.BETA,
    "preview": Stability.BETA,
    "rc": Stability.BETA,
    "evolving": Stability.BETA,
    "experimental": Stability.EXPERIMENTAL,
    "alpha": Stability.EXPERIMENTAL,
    "unstable": Stability.EXPERIMENTAL,
    "draft": Stability.EXPERIMENTAL,
    "development": Stability.EXPERIMENTAL,
}


def is_deprecated(node: Node) -> bool:
    """`deprecated: true`, or an extension of that name that does not say no."""
    if node.get("deprecated") in (True, "true"):
        return True
    said = [value for key, value in node.items() if plain(str(key)) in ("xdeprecated", "xdeprecation")]
    return any(value not in (None, False, "false", "") for value in said)


def sunset_of(node: Node) -> tuple[str | None, str]:
    """The day after which the operation may be gone, as an ISO date, and the words that could not be read as one."""
    for value in _sunset_values(node):
        day = iso_day(value)
        return (day, "") if day is not None else (None, str(value))
    return None, ""


def _sunset_values(node: Node) -> Iterator[object]:
    for key, value in node.items():
        name = plain(str(key))
        if name in _SUNSET_KEYS and value not in (None, False, True):
            yield value
        elif name in _NESTED_KEYS:
            inner = {plain(str(key)): item for key, item in as_map(value).items()}
            yield from (inner[word] for word in ("sunset", "sunsetdate", "removal", "removaldate") if word in inner)


def iso_day(value: object) -> str | None:
    """The day that a YAML date, an ISO text or an HTTP date (RFC 9110, 5.6.7) names; None for anything else."""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if not isinstance(value, str):
        return None
    try:
        return datetime.datetime.fromisoformat(value.strip()).date().isoformat()
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(value.strip()).date().isoformat()
    except ValueError:
        return None


def stability_of(node: Node) -> Stability:
    """How firmly the service stands by the operation; no mark means stable."""
    for key, value in node.items():
        name = plain(str(key))
        if name in ("xbeta", "xpreview") and value in (True, "true"):
            return Stability.BETA
        if name in ("xexperimental", "xalpha", "xunstable") and value in (True, "true"):
            return Stability.EXPERIMENTAL
        if name in _STABILITY_KEYS:
            level = next((_LEVELS[word] for word in _words(value) if word in _LEVELS), None)
            if level is not None:
                return level
    return Stability.STABLE


def _words(value: object) -> Iterator[str]:
    """The words of a mark: a text, a list of texts, or of badges with a name or label."""
    if isinstance(value, str):
        yield plain(value)
    for item in as_list(value):
        yield from _words(item)
    for item in as_map(value).values():
        if isinstance(item, str):
            yield plain(item)
