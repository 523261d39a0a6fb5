"""What an answer, or none, means for a change."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.unauthorized import GateLocked
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Conflicted,
    Forbidden,
    Interrupted,
    KeyRejected,
    NotFound,
    NotOffered,
    NotYet,
    RateLimited,
    Refused,
    ServiceFailed,
    ShopError,
    Unreachable,
)
from petstore_desktop.sync.send.outcomes import outcome, reason_of

CHANGE, CREATE, DELETE = Verb.CHANGE, Verb.CREATE, Verb.DELETE
DONE, QUEUED, REFUSED = ChangeState.DONE, ChangeState.QUEUED, ChangeState.REFUSED
UNCERTAIN = ChangeState.UNCERTAIN

OUTCOMES: list[tuple[ShopError, ChangeState, ChangeState, ChangeState]] = [
    # the error                             changing   creating   deleting
    (Unreachable(why="refused"), QUEUED, QUEUED, QUEUED),
    (Interrupted(why="timeout"), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (RateLimited(status=429), QUEUED, QUEUED, QUEUED),
    (RateLimited(status=403), QUEUED, QUEUED, QUEUED),
    (RateLimited(status=503), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (RateLimited(status=500), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (KeyRejected(status=401), QUEUED, QUEUED, QUEUED),
    (GateLocked(status=401), QUEUED, QUEUED, QUEUED),
    (Forbidden(status=403), REFUSED, REFUSED, REFUSED),
    (Refused(status=400), REFUSED, REFUSED, REFUSED),
    (Refused(status=422), REFUSED, REFUSED, REFUSED),
    (NotFound(status=404), REFUSED, REFUSED, DONE),
    (NotFound(status=410), REFUSED, REFUSED, DONE),
    (Conflicted(status=409), REFUSED, REFUSED, REFUSED),
    (Conflicted(status=412), QUEUED, QUEUED, QUEUED),
    (NotYet(status=421), QUEUED, QUEUED, QUEUED),
    (NotYet(status=423), QUEUED, QUEUED, QUEUED),
    (NotYet(status=425), QUEUED, QUEUED, QUEUED),
    (ServiceFailed(status=408), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (ServiceFailed(status=500), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (ServiceFailed(status=502), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (ServiceFailed(status=503), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (ServiceFailed(status=504), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (AnswerUnusable("not-json"), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (AnswerUnusable("redirected"), UNCERTAIN, UNCERTAIN, UNCERTAIN),
    (NotOffered(), REFUSED, REFUSED, REFUSED),
    (ShopError("unheard-of"), UNCERTAIN, UNCERTAIN, UNCERTAIN),
]


@pytest.mark.parametrize(("error", "changing", "creating", "deleting"), OUTCOMES, ids=lambda value: str(value)[:30])
def test_an_error_decides_the_fate_of_a_request(
    error: ShopError, changing: ChangeState, creating: ChangeState, deleting: ChangeState
) -> None:
    assert [outcome(verb, error)[0] for verb in (CHANGE, CREATE, DELETE)] == [changing, creating, deleting]


def test_a_reason_keeps_the_services_own_words_and_its_raw_answer() -> None:
    reason = reason_of(Conflicted(status=409, message="3 open orders", raw="HTTP 409"))
    assert (reason.code, reason.message, reason.status, reason.raw) == ("conflicted", "3 open orders", 409, "HTTP 409")
    assert reason_of(Unreachable(why="tls")).message == "tls"
