"""Every error that the program expects, named by what can be done about it.

    ShopError                     the root; `code` picks the sentence, `params` fill it
    ├── ServiceError              the service answered, and the answer is no
    │   ├── Refused               4xx: this request will never work as it is
    │   ├── KeyRejected           401: another key is needed
    │   ├── Forbidden             403: this key may not do this
    │   ├── NotFound              404, 410
    │   ├── Conflicted            409, 412: the record moved
    │   ├── RateLimited           429, and a ban: wait
    │   ├── NotYet                421, 423, 425: nothing was done, the same may work later
    │   └── ServiceFailed         5xx, 408: try later
    ├── AnswerUnusable            something answered, but not in a form that can be used
    ├── Unreachable               no connection was made: nothing was sent
    ├── Interrupted               the connection broke or timed out after the first byte: the outcome is unknown
    ├── NotOffered                the contract has no such operation
    ├── DocumentUnusable          an OpenAPI document cannot be used
    ├── StorageError              a database or file cannot be read or written
    ├── KeyringError              the system's keyring did not do its part
    ├── AlreadyRunning            another program uses this data directory
    └── BadInput                  what a person or a script gave cannot be understood

Sentences are made in `ui/text/` (translated) and in `cli` (English), never here: `str(error)` is for logs.
"""

from __future__ import annotations


class ShopError(Exception):
    """Something expected went wrong. `code` is stable and machine-readable, `params` are plain values for the
    sentence."""

    code: str = "error"

    def __init__(self, code: str | None = None, /, **params: object) -> None:
        if code is not None:
            self.code = code
        self.params = params
        super().__init__(self.code, params)

    def __str__(self) -> str:
        words = ", ".join(f"{name}={value!r}" for name, value in self.params.items() if name != "raw")
        return f"{self.code} ({words})" if words else self.code


class ServiceError(ShopError):
    """The service said no. `status` is the HTTP status, `message` its own words, `raw` the redacted answer as
    text."""

    code = "service-error"

    def __init__(
        self, code: str | None = None, /, *, status: int, message: str = "", raw: str = "", **params: object
    ) -> None:
        self.status = status
        self.message = message
        self.raw = raw
        super().__init__(code, status=status, message=message, raw=raw, **params)


class Refused(ServiceError):
    """A 4xx other than those named below."""

    code = "refused"


class KeyRejected(ServiceError):
    """401: the key is wrong or was revoked."""

    code = "key-rejected"


class Forbidden(ServiceError):
    """403 without a ban: the key may not do this one thing."""

    code = "forbidden"


class NotFound(ServiceError):
    """404 or 410."""

    code = "not-found"


class Conflicted(ServiceError):
    """409 or 412."""

    code = "conflicted"


class RateLimited(ServiceError):
    """429, 503 with Retry-After, or a ban. The gate already knows."""

    code = "rate-limited"


class NotYet(ServiceError):
    """421, 423 or 425: misdirected, locked or too early. Nothing was done, and the same may work later (RFC 9110, RFC
    4918, RFC 8470)."""

    code = "not-yet"


class ServiceFailed(ServiceError):
    """5xx, and 408, which what stands before a service may say of what was done behind it."""

    code = "service-failed"


class AnswerUnusable(ShopError):
    """The answer's body is not what the contract promises (HTML, truncated, too large, wrong type)."""

    code = "answer-unusable"


SHOWN_AGAIN = "shown-again"
"""The code of an AnswerUnusable to deletions that the service said it had made: it shows records (`met` of them) again.
"""
UNKEPT = "unkept"
"""The code of an AnswerUnusable to writes that the service said it had made without showing them: of `met` records it
shows other values since."""
MADE_OTHERWISE = "made-otherwise"
"""The code of an AnswerUnusable to a creation: a record (`id`) was made with other values than were sent (`values`)."""


class Unreachable(ShopError):
    """No connection was made; nothing left this computer."""

    code = "unreachable"


class Interrupted(ShopError):
    """The connection broke, or the deadline passed, after the first byte left: it may or may not have been done."""

    code = "interrupted"


class NotOffered(ShopError):
    """The service's contract has no such operation."""

    code = "not-offered"


class DocumentUnusable(ShopError):
    """An OpenAPI document cannot be read, or offers nothing usable."""

    code = "document-unusable"


class StorageError(ShopError):
    """A database or a file cannot be read or written."""

    code = "storage"


class KeyringError(ShopError):
    """The keyring is absent, locked, silent, or not one that keeps secrets."""

    code = "keyring"


class AlreadyRunning(ShopError):
    """Another program holds the data directory."""

    code = "already-running"


class BadInput(ShopError):
    """A person's or script's input cannot be understood."""

    code = "bad-input"
