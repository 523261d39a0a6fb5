"""Marks of age and firmness at an operation: deprecated, sunset, beta, experimental, in every spelling in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from petstore_desktop.contract.document.reading import MAX_MEMBERS, Node, as_list, as_map, as_text
from petstore_desktop.contract.lifecycle.dates import iso_day
from petstore_desktop.contract.operations import Stability
from petstore_desktop.contract.scalars import scalar_text
from petstore_desktop.domain.records import plain

_MARK_LENGTH = 1_000
"""Letters of a mark."""
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
    "stable": Stability.STABLE,
    "ga": Stability.STABLE,
}
_GOING = frozenset({"deprecated", "retired", "retiring", "sunset", "legacy"})


def is_deprecated(node: Node) -> bool:
    """`deprecated: true`, an extension of that name that does not say no, or a state that says so."""
    if node.get("deprecated") in (True, "true"):
        return True
    said = [value for key, value in node.items() if plain(key) in ("xdeprecated", "xdeprecation")]
    if any(value not in (None, False, "false", "") for value in said):
        return True
    states = (value for key, value in node.items() if plain(key) in _STABILITY_KEYS)
    return any(word in _GOING for value in states for word in _words(value))


def sunset_of(node: Node) -> tuple[str | None, str]:
    """The day after which the operation may be gone, as an ISO date, and the words that could not be read as one."""
    for value in _sunset_values(node):
        day = iso_day(value)
        return (day, "") if day is not None else (None, scalar_text(value))
    return None, ""


def _sunset_values(node: Node) -> Iterator[object]:
    for key, value in node.items():
        name = plain(key)
        if name in _SUNSET_KEYS and value not in (None, False, True):
            yield value
        elif name in _NESTED_KEYS:
            inner = {plain(key): item for key, item in as_map(value).items()}
            yield from (inner[word] for word in ("sunset", "sunsetdate", "removal", "removaldate") if word in inner)


def stability_of(node: Node) -> Stability | None:
    """How firmly the service stands by the operation; None where it does not say, which means stable."""
    for key, value in node.items():
        name = plain(key)
        if name in ("xbeta", "xpreview") and value in (True, "true"):
            return Stability.BETA
        if name in ("xexperimental", "xalpha", "xunstable") and value in (True, "true"):
            return Stability.EXPERIMENTAL
        if name in _STABILITY_KEYS:
            level = next((_LEVELS[word] for word in _words(value) if word in _LEVELS), None)
            if level is not None:
                return level
    return None


def _words(value: object) -> Iterator[str]:
    """The words of a mark: a text (`Public beta`), a list of texts, or of badges with a name or label."""
    for one in islice((value, *as_list(value)), MAX_MEMBERS):
        for said in islice((one, *as_map(one).values()), MAX_MEMBERS):
            for word in as_text(said)[:_MARK_LENGTH].replace("-", " ").replace("_", " ").split():
                yield plain(word)
