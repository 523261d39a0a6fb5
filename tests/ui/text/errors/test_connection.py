"""Why a service cannot be reached, as the window and the commands say it: each cause has its own words, which name what
happened, what is safe and what to do."""

from __future__ import annotations

import re
import time

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.desk.checks.check_texts import BAD
from petstore_desktop.domain.errors import AnswerUnusable, DocumentUnusable, ShopError, Unreachable
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import full_day, local

HOST, PROXY, PATH = "shop.example:8443", "http://proxy.example:3128", "/etc/ours.pem"
UNTIL = time.mktime((2026, 3, 1, 12, 0, 0, 0, 0, -1))
DETAILS: dict[str, object] = {
    "host": HOST,
    "proxy": PROXY,
    "path": PATH,
    "issuer": "Other authority",
    "names": "a.example, b.example",
    "since": UNTIL,
    "until": UNTIL,
}

CAUSES: dict[str, str] = {
    "name": f"There is no computer called {HOST}.",
    "no-name-service": "this computer seems to be offline",
    "refused": "nothing answers there",
    "timeout": "did not answer in time",
    "network": f"there is no way to {HOST}",
    "tls-self-signed": "self-signed",
    "tls-unknown-authority": "signed by Other authority",
    "tls-expired": "expired",
    "tls-not-yet-valid": "not valid yet",
    "tls-wrong-host": "for a.example, b.example",
    "tls-revoked": "revoked",
    "tls-old": "outdated encryption",
    "tls-plain-http": "without encryption at this port",
    "tls-broken-off": "broke off before",
    "tls": "its certificate is not trusted",
    "ca-file-missing": f"CA file is gone: {PATH}",
    "ca-file-unreadable": f"CA file cannot be read: {PATH}",
    "ca-file-too-large": f"CA file is too large: {PATH}",
    "ca-file-no-certificate": f"CA file holds no certificate: {PATH}",
    "proxy-unusable": f"cannot be used by the program: {PROXY}",
    "proxy-unreachable": f"cannot be reached: {PROXY}",
    "proxy-tls": f"The proxy {PROXY} is not trusted",
    "proxy-login": "needs a user name and password",
    "proxy-forbids": f"blocks {HOST}",
    "proxy-failed": f"The proxy {PROXY} cannot reach {HOST}",
    "proxy": f"did not let the request through to {HOST}",
}
LEFT_OUT = re.compile(r"[{}]|not said|None")


@pytest.mark.parametrize("why", CAUSES)
def test_a_cause_is_said_with_what_is_safe_and_what_to_do(why: str) -> None:
    error = Unreachable(**DETAILS, why=why)
    words, line = error_words(error), sentence(error)
    said = CAUSES[why].rstrip(".")
    assert said in words.what
    assert said[1:] in line
    assert "Nothing was sent, not even the key." in words.safe
    assert "; nothing was sent" in line
    assert words.do
    assert re.search(r"; nothing was sent[^.]*\. [A-Z]", line)
    assert not LEFT_OUT.search(f"{words.what} {words.do} {line}")
    assert "\n" not in line
    assert ("tls" in why) <= (why == "proxy-tls" or HOST in words.what)


def test_no_two_causes_are_said_alike() -> None:
    errors = [Unreachable(**DETAILS, why=why) for why in CAUSES]
    assert len({error_words(error).what for error in errors}) == len(CAUSES)
    assert len({sentence(error) for error in errors}) == len(CAUSES)
    generic = Unreachable(why="of a new kind", host=HOST)
    assert error_words(generic).what == f"{HOST} cannot be reached."
    assert sentence(generic).startswith(f"{HOST} cannot be reached (of a new kind); nothing was sent.")


@pytest.mark.parametrize("why", [*CAUSES, "demo-failed"])
def test_what_nobody_knows_leaves_no_hole_in_the_sentence(why: str) -> None:
    error = Unreachable(why) if why == "demo-failed" else Unreachable(why=why)
    words = error_words(error)
    assert not re.search(r"[{}]|None", f"{words.what} {words.do} {sentence(error)}")
    assert words.what[0].isupper()


def test_the_day_on_which_a_certificate_ends_is_written_as_everywhere() -> None:
    said = error_words(Unreachable(why="tls-expired", host=HOST, until=UNTIL)).what
    assert full_day(local(UNTIL).date()) in said


def test_names_in_a_foreign_certificate_cannot_turn_the_sentence_round() -> None:
    said = error_words(Unreachable(why="tls-wrong-host", host=HOST, names="\u202eelpmaxe\n.x")).what
    assert "\u202e" not in said
    assert "\n" not in said


REDIRECTED = AnswerUnusable("redirected", status=301, target="https://new.example/v1/pets", operation="pets.list")
MOVED = DocumentUnusable("document-redirected", path="https://docs.example/a", target="https://docs.example/b")


@pytest.mark.parametrize(("error", "target"), [(REDIRECTED, "https://new.example/v1/pets"), (MOVED, "docs.example/b")])
def test_where_a_redirect_leads_is_shown_and_that_nothing_went_there(error: ShopError, target: str) -> None:
    words, line = error_words(error), sentence(error)
    assert target in words.what
    assert "does not follow" in words.safe
    assert words.do
    assert target in line
    assert "not follow" in line


def test_a_change_that_was_sent_on_elsewhere_names_the_place() -> None:
    params = {"code": "redirected", "message": "https://new.example/v1/pets", "status": None}
    words = change_sentence("change.refused", params, 0.0, None)
    assert "https://new.example/v1/pets" in words
    assert "does not follow" in words


@pytest.mark.parametrize("code", [*(code for code in BAD if code.startswith("document-")), "of-a-later-build"])
def test_every_fault_of_a_document_is_said_in_words_with_what_is_told_of_it_and_without(code: str) -> None:
    told = {"names": "shop, region", "title": "Zoo", "most": 500, "megabytes": 16, "why": "no JSON", "path": "/pets"}
    for params in ({}, told):
        error = DocumentUnusable(code, **params)
        words = error_words(error)
        assert "{" not in f"{words} {sentence(error)}"
    if code == "document-values":
        assert "shop, region" in words.what


def test_a_service_that_has_no_name_is_not_written_large_inside_a_sentence() -> None:
    """It said "which record The service would change"."""
    assert obstacle_words("key-doubted").startswith(
        "It is not certain which record the service would change by this id"
    )
    assert obstacle_words("not-offered") == "The service does not offer this."
    assert obstacle_words("not-offered", "pet shop") == "pet shop does not offer this."


def test_an_answer_that_cannot_be_read_is_not_quoted_as_if_the_service_had_said_so() -> None:
    params = {"code": "bad-record", "message": "pet_id is missing", "status": None}
    words = change_sentence("change.refused", params, 0.0, None)
    assert words.startswith("Refused: the record in the service’s answer cannot be read: pet_id is missing.")


def test_a_field_that_went_from_yes_to_no_is_not_said_to_be_empty() -> None:
    """An order that was completed: "the service emptied what was not to be changed: cancelled is nothing"."""

    def said(**theirs: object) -> str:
        params = {"code": "emptied", "message": "", "theirs": tuple(theirs.items())}
        return change_sentence("change.refused", params, 0.0, None)

    assert "changed something else as well: cancelled is no." in said(cancelled=False)
    assert "changed something else as well: cancelled is no, price is 0." in said(cancelled=False, price=0)
    assert "emptied what was not to be changed: chip is nothing." in said(chip=None)
