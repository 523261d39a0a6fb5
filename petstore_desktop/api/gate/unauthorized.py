"""What happens on a 401: the service rejects the key, and nothing that needs it leaves until there is another. Pure.

`http/error_responses` makes the error of that answer, `answers` calls this file for it, and the window asks for a key
(`ui/connection/key`). The change that was answered so stays queued (`sync/send/outcomes`).
"""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.api.gate.model import Deny, Effect, GateState
from petstore_desktop.api.headers.limit_headers import AnswerFacts
from petstore_desktop.domain.errors import KeyRejected

UNAUTHORIZED = 401


class GateLocked(KeyRejected):
    """The service rejected the key earlier; nothing leaves until there is another."""

    code = "gate-locked"


class KeyMissing(GateLocked):
    """Of the keys that an operation wants, nobody has entered the one that `key` names; nothing was sent."""

    code = "key-missing"


def lock_key(state: GateState, answer: AnswerFacts, scheme: str) -> GateState:
    """The key is wrong for what has this security scheme; of other schemes the answer says nothing."""
    return replace(state, locked={**state.locked, scheme: answer}, closures=state.closures + 1)


def deny_locked(state: GateState, effects: list[Effect]) -> GateState:
    """Refuse what waits and has a security scheme for which the key is wrong."""
    locked = [waiting for waiting in state.queue if waiting.ask.scheme in state.locked]
    effects.extend(Deny(waiting.ask.ticket, "locked", waiting.ask.scheme) for waiting in locked)
    return replace(state, queue=tuple(one for one in state.queue if one not in locked)) if locked else state


def rejection(answer: AnswerFacts | None) -> GateLocked | None:
    """The error for those who want to send after this 401."""
    if answer is None:
        return None
    return GateLocked(status=answer.status, message=answer.message or "", raw=answer.raw or "")
