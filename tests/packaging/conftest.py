from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.bundles import small_bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like those that are shipped, of real wheels' files."""
    return small_bundle(tmp_path_factory.mktemp("bundle") / "petstore-desktop")
