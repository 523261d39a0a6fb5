from __future__ import annotations

import os
from pathlib import Path

import pytest

from petstore_desktop import instance, platform_support
from release.inside.contents import Component, Environment, components
from release.inside.frozen import Bundle
from tests.packaging.bundles import packages, small_bundle
from tests.packaging.playing import Played, opened, refused
from tests.ui.conftest import app_port, british, nothing_is_left, open_window, shop  # noqa: F401 -- a window


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like those that are shipped, of real wheels' files."""
    return small_bundle(tmp_path_factory.mktemp("bundle") / "petstore-desktop")


@pytest.fixture(scope="session")
def found(bundle: Path) -> list[Component]:
    """What is in that folder."""
    return components(Bundle(bundle), Environment(packages(bundle)))


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """`platform_support` and `instance` on Windows: its name, and no descriptors of folders."""
    monkeypatch.setattr(platform_support, "os", Played(os, name="nt", getuid=refused, fsync=os.fsync, open=opened))
    monkeypatch.setattr(instance, "os", Played(os, name="nt"))
