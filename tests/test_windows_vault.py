"""On Windows a key is in the Credential Manager, as the person's own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from petstore_desktop.clock import unique
from tests.program.running import run_module
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.windows("keys are in the Credential Manager")


@pytest.fixture
def identity() -> Iterator[str]:
    """A shop that there is for this test alone."""
    name = f"Zoë's shop {unique()} https://shop.example/v1"
    yield name
    asked(name, "forget")


def asked(identity: str, action: str, key: str = "") -> dict[str, Any]:
    """What the keyring answers to a process of its own."""
    given = (action, identity, str(PATIENCE_S))
    done = run_module("tests.support.credentials_child", *given, environment=os.environ, stdin=key.encode())
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_a_key_is_kept_found_by_the_next_process_and_forgotten(identity: str) -> None:
    assert asked(identity, "read")["result"] is None
    for key in ("canary-key-3f9c17", "another-key", "k" * 1_200):
        assert "error" not in asked(identity, "keep", key)
        assert asked(identity, "read")["result"] == key
    assert "error" not in asked(identity, "forget")
    assert asked(identity, "read")["result"] is None
    assert "error" not in asked(identity, "forget")  # none kept is fine


def test_the_keys_of_a_connection_are_read_in_one_question(identity: str) -> None:
    assert "error" not in asked(identity, "keep", "canary-key-3f9c17")
    assert asked(identity, "read-more")["result"] == ["canary-key-3f9c17", None, "canary-key-3f9c17"]


@pytest.mark.wine("keys have a longest length")
def test_a_key_that_is_too_long_for_it_is_refused_and_the_one_before_stays(identity: str) -> None:
    """It takes 2560 bytes (CREDENTIALW, "CredentialBlobSize"): half as many letters."""
    assert "error" not in asked(identity, "keep", "canary-key-3f9c17")
    assert asked(identity, "keep", "k" * 4_000)["error"] == "keyring-refused"
    assert asked(identity, "read")["result"] == "canary-key-3f9c17"
