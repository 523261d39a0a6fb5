"""Comparing two values by some of their fields: what msgspec's own `==` does with all of them."""

from __future__ import annotations

from msgspec import Struct


def without(one: Struct, *left_out: str) -> tuple[object, ...]:
    """The values of all fields but those named."""
    return tuple(getattr(one, name) for name in one.__struct_fields__ if name not in left_out)
