"""Where the shop finds the OpenAPI document of each of its services."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SERVICES = ("full", "default")


def document_path(service: str) -> Path:
    """The file of a service's document: in the installed package, else in the checkout.

    Raises FileNotFoundError where neither is there.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_resources", package.parent / "resources"):
        path = folder / "openapi" / f"{service}.json"
        if path.is_file():
            return path
    raise FileNotFoundError(f"the OpenAPI document of the service {service!r} is not installed")


def load_document(service: str) -> dict[str, Any]:
    """The parsed document of a service, one of `SERVICES`."""
    document: dict[str, Any] = json.loads(document_path(service).read_text(encoding="utf-8"))
    return document
