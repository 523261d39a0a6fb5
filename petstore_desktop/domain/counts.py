"""Counts of a list that is not all here, and what is known to be missing from it."""

from __future__ import annotations

from msgspec import Struct


class Gaps(Struct, frozen=True):
    """How a list that was read to its end may differ from what the service has.

    `cut_at`: the service shows at most so many; `set_aside`: how many records could not be read, or have no place (a
    second entry of a pet's stock), and `reasons` of the first of them, in words of the reader; `missing`: how many
    records it did not show that may be there all the same.
    """

    cut_at: int | None = None
    set_aside: int = 0
    reasons: tuple[str, ...] = ()
    missing: int = 0

    @property
    def any(self) -> bool:
        """Whether there is any difference."""
        return self.cut_at is not None or bool(self.set_aside or self.missing)


NO_GAPS = Gaps()


class AtLeast(int):
    """A count of records of a list that is not all here. What writes numbers for people writes it with its `+`, in a
    cell, in a sentence and in a file; what is computed with it is an `int` again."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return f"{int(self):{spec}}+"
