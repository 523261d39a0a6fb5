"""How each operation was found in a document, and what else it could be: what the page of operations shows.

It is kept beside the contract, in a file of its own: a start reads only the contract.
"""

from __future__ import annotations

import json

from msgspec import Struct, convert, field
from msgspec.structs import asdict

from petstore_desktop.contract.operations import VERBS, Op, Stability, Verb
from petstore_desktop.domain.errors import DocumentUnusable

MAX_CHOICES = 200
"""Endpoints that are offered for one operation."""
FORMAT = 4


class EndpointCandidate(Struct, frozen=True):
    """An endpoint that has the method and the path that an operation needs.

    `endpoint`: `GET /animals`; `note`: the document's summary of it; `why` and `what`: what speaks against it (see
    `endpoint_classifier.Mismatch`), empty if nothing does; `fits`: a person may choose it all the same.
    """

    endpoint: str
    note: str = ""
    why: str = ""
    what: str = ""
    fits: bool = True
    near: bool = False
    """By its path it is meant for this operation."""


class Finding(Struct, frozen=True):
    """One operation. `endpoint`: what it is bound to, empty for nothing; `by_hand`: a person said so; `chosen`: what a
    person said where that cannot be used, else empty; `sunset`: an ISO date or None."""

    op: Op
    endpoint: str = ""
    by_hand: bool = False
    chosen: str = ""
    deprecated: bool = False
    sunset: str | None = None
    stability: Stability = Stability.STABLE
    choices: tuple[EndpointCandidate, ...] = ()
    by_fields: bool = False
    """Its path does not name the resource, its fields do."""
    gathered: bool = False
    """It is a list of what the pets show, which are read there."""

    @property
    def near(self) -> tuple[EndpointCandidate, ...]:
        """Endpoints that match by their path but were not used."""
        return tuple(choice for choice in self.choices if choice.near and choice.endpoint != self.endpoint)

    @property
    def alike(self) -> str:
        """The endpoint that has the fields for it, though no word of its path says so; empty for none."""
        return next((choice.endpoint for choice in self.choices if choice.near and choice.why == "fields-alone"), "")


class Survey(Struct, frozen=True):
    """Every operation that the program knows, in the order of `Op`. `source`, `title`, `version` and `warnings` are
    the contract's."""

    findings: tuple[Finding, ...] = ()
    source: str = "default"
    title: str = ""
    version: str = ""
    warnings: tuple[str, ...] = field(default_factory=tuple)

    def of(self, op: Op) -> Finding:
        """The findings about one operation."""
        return next((finding for finding in self.findings if finding.op is op), Finding(op))

    @property
    def alike(self) -> tuple[Finding, ...]:
        """The lists that are not bound, where something has the fields of one: a person may choose it."""
        found = (finding for finding in self.findings if VERBS[finding.op] is Verb.LIST and not finding.endpoint)
        return tuple(finding for finding in found if finding.alike)

    def lost(self, then: Survey) -> tuple[Op, ...]:
        """The operations that can be used now, and not with another survey."""
        return tuple(one.op for one in self.findings if one.endpoint and not then.of(one.op).endpoint)

    @property
    def bound(self) -> int:
        """How many operations can be used."""
        return sum(bool(finding.endpoint) for finding in self.findings)


def to_json(survey: Survey) -> str:
    """The survey as one JSON text."""
    return json.dumps({"format": FORMAT, **asdict(survey)}, ensure_ascii=False, default=asdict)


def from_json(text: str) -> Survey:
    """The inverse of `to_json`. Raises DocumentUnusable (`cache-unusable`) for anything else."""
    try:
        data = json.loads(text)
        if data["format"] == FORMAT:
            return convert(data, Survey)
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise DocumentUnusable("cache-unusable")
