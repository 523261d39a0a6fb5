"""A keyring of its own for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.keyring_daemon import KeyringSession


@pytest.fixture(scope="module")
def session() -> Iterator[dict[str, str]]:
    """The environment of a session with an open keyring."""
    with KeyringSession() as session:
        session.start_keyring()
        yield session.environment
