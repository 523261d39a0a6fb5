"""A count that may be larger than it was seen to be."""

from __future__ import annotations


class AtLeast(int):
    """A count of records of a list that is not all here. What writes numbers for people writes it with its `+`, in a
    cell, in a sentence and in a file; what is computed with it is an `int` again."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return f"{int(self):{spec}}+"
