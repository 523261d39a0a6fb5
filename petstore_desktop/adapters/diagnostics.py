"""What support wants to know of a computer, as text to copy."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from petstore_desktop import __version__, log
from petstore_desktop.data_folder import Places


def diagnostics(places: Places) -> str:
    """Versions and places, redacted."""
    lines = [f"Pet Store Desktop {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for package in ("PySide6-Essentials", "httpx", "pydantic", "keyring", "apsw"):
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} not found")
    lines.append(f"data: {places.data}")
    return log.redact_sentence("\n".join(lines))
