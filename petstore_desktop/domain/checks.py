"""What the check of a connection found, as plain data. It is put into words elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import force_setattr

from petstore_desktop import log
from petstore_desktop.domain.commands import ServiceKey, ServiceValue
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import Record, Resource, ServiceId

MOST_REQUESTS = 19
"""Of one check: those that look for the document and its address, and those that read."""


class About(StrEnum):
    """The subjects of a check, in the order in which they are shown."""

    ADDRESS = "address"
    PROXY = "proxy"
    """Only where one stands in between."""
    TLS = "tls"
    """Only where the address is an encrypted one."""
    KEY = "key"
    DOCUMENT = "document"
    OPERATIONS = "operations"
    LIMITS = "limits"
    CLOCK = "clock"


REMARKS = frozenset(
    {
        *("limits-absent", "limits-odd", "clock-off", "clock-unknown", "some-refused", "operations-alike"),
        *("key-missing-for-some", "this-key-rejected-for-some"),
    }
)
"""Findings that do not keep anybody from working with the service."""

PASSING = frozenset(
    {
        *("name", "no-name-service", "refused", "timeout", "network", "broken", "slow", "service-failed"),
        *("proxy", "proxy-unreachable", "proxy-failed", "tls-broken-off", "stopped"),
        *("paused", "paused-long", "spent", "banned"),
    }
)
"""What may be over tomorrow without anybody changing the connection."""


class Check(Struct, frozen=True):
    """One check. `ok` None: not reached. `code` names the finding, `params` are plain values for its sentence; `error`
    is the cause if it has a sentence of its own."""

    about: About
    ok: bool | None
    code: str
    params: Mapping[str, object] = field(default_factory=dict[str, object])
    error: ShopError | None = None

    @property
    def stands_in_the_way(self) -> bool:
        """Whether the service cannot be used as long as it is so."""
        return self.ok is False and self.code not in REMARKS

    @property
    def may_pass(self) -> bool:
        """Whether the finding is temporary, and not about the values entered."""
        return self.code in PASSING


class Unbound(Struct, frozen=True):
    """An operation that cannot be used though an endpoint comes near to it, and what speaks against that: `op` is the
    operation's name, the rest is as in `survey.EndpointCandidate`."""

    op: str
    endpoint: str
    why: str
    what: str


def _no_names() -> dict[Resource, tuple[str, ...]]:
    return {}


class Sample(Struct, frozen=True):
    """What a check read.

    `pets`: the first of them; `absent`: the fields of the program that no record of a list has; `unused`: the names in
    the records of a list that are none of the program's; `guessed`: fields, each with the name that only suggests it;
    `apart`: fields that are written elsewhere than they are read, each with both places; `own_key`: by what the path
    of a change names an entry of stock, empty for its pet.
    """

    pets: tuple[Record, ...] = ()
    absent: Mapping[Resource, tuple[str, ...]] = field(default_factory=_no_names)
    unused: Mapping[Resource, tuple[str, ...]] = field(default_factory=_no_names)
    unbound: tuple[Unbound, ...] = ()
    guessed: tuple[tuple[Resource, str, str], ...] = ()
    categories: Mapping[ServiceId, str] = field(default_factory=dict[ServiceId, str])
    """The names of categories that were read."""
    missing: tuple[str, ...] = ()
    """The names of the values that the service wants and that nobody has given."""
    apart: tuple[tuple[Resource, str, str, str], ...] = ()
    own_key: str = ""


class CheckReport(Struct, frozen=True):
    """All checks, in their order. `requests` left for it; `instead`: the base address at which the service was found
    instead of the given one, or empty; `keys`: those that the service wants, the main one first; `values`: those that
    a person gives for it."""

    checks: tuple[Check, ...]
    requests: int = 0
    instead: str = ""
    sample: Sample = Sample()
    keys: tuple[ServiceKey, ...] = ()
    values: tuple[ServiceValue, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.ok is not False for check in self.checks)

    @property
    def usable(self) -> bool:
        """Whether one can work there."""
        return self.cause is None or not self.cause.stands_in_the_way

    @property
    def cause(self) -> Check | None:
        """The problem to show: the first that prevents work, else the first."""
        wrong = [check for check in self.checks if check.ok is False]
        return next((check for check in wrong if check.stands_in_the_way), wrong[0] if wrong else None)

    def of(self, about: About) -> Check | None:
        """One check."""
        return next((check for check in self.checks if check.about is about), None)


class ConnectionInput(Struct, frozen=True):
    """A connection as a person typed it. `document`: a file or an address; `plan` None: nothing was said of it.
    `further`: the keys beside the main one, by their security schemes; `values`: those for parameters, by their names.
    From here on the keys are known as secrets."""

    url: str
    key: str = ""
    name: str = ""
    plan: Plan | None = None
    document: str = ""
    ca_file: str = ""
    further: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        force_setattr(self, "key", log.keep_secret(self.key))
        force_setattr(self, "further", {name: log.keep_secret(key) for name, key in self.further.items()})
