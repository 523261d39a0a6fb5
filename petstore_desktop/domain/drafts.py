"""What a person began to fill in and did not finish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """A half-filled form: its name, when it was last touched (UTC epoch seconds), and its texts by field."""

    form: str
    at: float
    content: Mapping[str, str]
