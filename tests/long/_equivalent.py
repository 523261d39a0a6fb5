"""Mutants that change nothing anybody could see, each with its reason. At most 3 % of all; the run counts them."""

from __future__ import annotations

from typing import NamedTuple


class Same(NamedTuple):
    """A mutant of `module`: the line as it stands, what is changed on it, and why that does not matter."""

    module: str
    text: str
    what: str
    why: str


EQUIVALENT: list[Same] = []
