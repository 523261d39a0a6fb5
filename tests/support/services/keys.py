"""The keys that a scenario's service wants, and how its document names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from petstore_desktop.domain.records import Resource
from tests.support.services.scenario import Scenario

MAIN, SECOND = "key-of-the-scenario", "second-key-of-the-scenario"
_SCHEMES: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "none": {},
    "bearer": {"till": {"type": "http", "scheme": "bearer"}},
    "header": {"till": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
    "api_key": {"till": {"type": "apiKey", "in": "header", "name": "api_key"}},
    "token": {"till": {"type": "apiKey", "in": "header", "name": "Authorization", "x-prefix": "Token "}},
    "query": {"till": {"type": "apiKey", "in": "query", "name": "access_key"}},
    "two": {
        "appId": {"type": "apiKey", "in": "header", "name": "X-App-Id"},
        "apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
    },
    "apart": {
        "till": {"type": "http", "scheme": "bearer"},
        "stock": {"type": "apiKey", "in": "header", "name": "X-Stock-Key"},
    },
}
FURTHER: Mapping[str, Mapping[str, str]] = {"two": {"apiKey": SECOND}, "apart": {"stock": SECOND}}
"""The keys beside the main one, by security scheme."""


def schemes_of(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """The security schemes of its document."""
    return {name: dict(one) for name, one in _SCHEMES[scenario.security].items()}


def wanted_by(scenario: Scenario, resource: Resource | None) -> list[str]:
    """The schemes that operations on a resource want together; None: those of all the others."""
    names = list(_SCHEMES[scenario.security])
    if scenario.security == "apart":
        return names[1:] if resource is Resource.INVENTORY else names[:1]
    return names


def keys_of(scenario: Scenario, resource: Resource | None) -> dict[tuple[str, str], str]:
    """Where each of these keys stands, and what stands there; None: of all schemes."""
    every = _SCHEMES[scenario.security]
    found: dict[tuple[str, str], str] = {}
    for name in every if resource is None else wanted_by(scenario, resource):
        scheme, key = every[name], FURTHER.get(scenario.security, {}).get(name, MAIN)
        if scheme["type"] == "http":
            found["header", "Authorization"] = f"Bearer {key}"
        else:
            found[scheme["in"], scheme["name"]] = scheme.get("x-prefix", "") + key
    return found
