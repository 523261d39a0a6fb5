"""The inputs of a check of a connection, and its findings so far. Light to import: a window asks for checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from petstore_desktop.domain.checks import About, Check
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Conflicted,
    Interrupted,
    KeyRejected,
    NotYet,
    Refused,
    ServiceFailed,
    ShopError,
    Unreachable,
)

if TYPE_CHECKING:
    from petstore_desktop.contract.model import Contract

_TLS = ("tls", "ca-file")
"""How the causes begin that are about certificates."""
_SLOW = ("deadline", "timeout")
_HIDDEN = ("raw", "values", "servers", "keys")


class Wanted(Struct, frozen=True):
    """The inputs of a check. `document`: path or URL of a chosen one; `ca_file`: a file of certificates that are
    trusted; `plan`: the limits that a person entered; `bindings`: by hand; `known`: the contract in use; `search`: look
    for the service elsewhere below its origin if it is not where it should be; `origin`: of the gate, if not the
    address's own; `gate_key`: what tells the gate from others there, if not the key."""

    url: str
    key: str = ""
    document: str | None = None
    ca_file: str | None = None
    plan: str = ""
    bindings: Mapping[str, object] | None = None
    known: Contract | None = None
    search: bool = True
    origin: str | None = None
    gate_key: str | None = None
    further: Mapping[str, str] = field(default_factory=dict[str, str])
    """The keys beside the main one, by their security schemes."""
    choose_key: bool = False
    """Whether the key may be tried as another security scheme of the document says, where it is refused, once."""
    missing: ShopError | None = None
    """Why there is no key: then only the document is asked for, unless it says that none is wanted."""


class Findings:
    """The checks in their order, that of a proxy only if there is one (`proxied`), that of the certificate only if the
    address asks for one (`encrypted`). `tell` hears each once, when it is finished."""

    def __init__(self, tell: Callable[[Check], object], *, proxied: bool = False, encrypted: bool = True) -> None:
        absent = {*(() if proxied else (About.PROXY,)), *(() if encrypted else (About.TLS,))}
        self._expected = tuple(one for one in About if one not in absent)
        self._tell = tell
        self._made: dict[About, Check] = {}

    def has(self, about: About) -> bool:
        """Whether this check is finished."""
        return about in self._made

    def is_bad(self, about: About) -> bool:
        """Whether it is finished, and something is wrong."""
        made = self._made.get(about)
        return made is not None and made.ok is False

    def good(self, about: About, code: str, **params: object) -> None:
        """All is well with it."""
        self._add(Check(about, True, code, params))

    def bad(self, about: About, code: str, error: ShopError | None = None, **params: object) -> None:
        """Something is wrong with it."""
        said = {} if error is None else {name: value for name, value in error.params.items() if name not in _HIDDEN}
        self._add(Check(about, False, code, {**said, **params}, error))

    def open(self, about: About, code: str = "not-reached", **params: object) -> None:
        """It was not reached."""
        self._add(Check(about, None, code, params))

    def finish(self) -> tuple[Check, ...]:
        """All findings; an unfinished check counts as not reached."""
        for about in self._expected:
            if about not in self._made:
                self.open(about)
        return tuple(self._made[about] for about in self._expected)

    def _add(self, check: Check) -> None:
        if check.about in self._expected and check.about not in self._made:
            self._made[check.about] = check
            self._tell(check)


def code_of(error: ShopError) -> str:
    """What went wrong, in one word: the cause that the error names, else its own code."""
    why = error.params.get("why")
    if isinstance(error, Unreachable):
        return why if isinstance(why, str) and why else error.code
    if isinstance(error, Interrupted):
        return "slow" if why in _SLOW else why if isinstance(why, str) and why else error.code
    if isinstance(error, AnswerUnusable):
        if error.code == "redirected" and (error.params.get("circle") or not error.params.get("target")):
            return "redirect-circle" if error.params.get("circle") else "redirect-nowhere"
        return "html" if "html" in str(error.params.get("content_type", "")) else error.code
    if isinstance(error, KeyRejected):
        named = "this-key-rejected" if error.params.get("key") else "key-rejected"
        return error.code if error.code == "key-missing" else named
    if isinstance(error, Refused | Conflicted):
        return "question-refused"  # "refused" is a connection that was not made
    return "service-failed" if isinstance(error, ServiceFailed | NotYet) else error.code


def place_of(error: Unreachable) -> About:
    """Which check it is about that no connection was made."""
    code = code_of(error)
    if code.startswith("proxy"):
        return About.PROXY
    return About.TLS if code.startswith(_TLS) else About.ADDRESS
