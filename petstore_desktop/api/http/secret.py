"""The key, in a box that does not show it."""

from __future__ import annotations

import base64
from typing import Self

from petstore_desktop import log
from petstore_desktop.contract.model import KeyPlace, KeyPlacement, key_fault, word_before
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.masking import MASK


class Secret:
    """A key. It is not shown by accident: `repr`, `str`, pickling and comparison do not give it away."""

    __slots__ = ("_key", "_word", "beside")

    def __init__(self, key: str) -> None:
        """Raise BadInput (see `key_fault`) unless it can be sent."""
        self.beside: tuple[Self, ...] = ()  # masked with it
        if fault := key_fault(key):
            raise BadInput(fault)
        self._word, key = word_before(key)
        self._key = log.keep_secret(key)

    @classmethod
    def of(cls, key: str | None) -> Self | None:
        """The key in its box, None without one. Space around a pasted key is not part of it."""
        stripped = (key or "").strip()
        return cls(stripped) if stripped else None

    def __repr__(self) -> str:
        return MASK

    def __reduce__(self) -> str:
        raise TypeError("a key is not written down")

    def _basic(self) -> str:
        """The form of RFC 7617; a key without a colon is a user name without a password."""
        pair = self._key if ":" in self._key else f"{self._key}:"
        return base64.b64encode(pair.encode("ascii")).decode("ascii")

    def value_for(self, place: KeyPlacement) -> str:
        """What goes into the header or the query parameter. The word that a person had before the key stands there
        where the service names none, and the header is the one for it."""
        bare = place.place is KeyPlace.HEADER and place.name.lower() == "authorization" and not place.prefix
        return (self._word if bare else place.prefix) + (self._basic() if place.basic else self._key)

    @property
    def keys(self) -> tuple[str, ...]:
        """What is never shown: the key, and those beside it."""
        return self._key, *(other._key for other in self.beside)


def redact(secret: Secret | None, text: str, *, likely: bool = False) -> str:
    """`text` without the key, nor any other that is known: a service may repeat an earlier one. `likely`: nor what
    looks like one."""
    clean = log.redact if likely else log.without_secrets
    return clean(text, () if secret is None else secret.keys)
