"""A straight line through what was measured: by how much memory grows with each act, however much it sways."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Slope:
    """`each`: by so much one act adds; `doubt`: the standard error of that."""

    each: float
    doubt: float

    @property
    def surely(self) -> float:
        """What one act adds at least, but for one case in forty."""
        return self.each - 2.0 * self.doubt


def slope(acts: Sequence[float], measured: Sequence[float]) -> Slope:
    """The line through the second half, when what is loaded once has been loaded. Raises ValueError for fewer than
    eight measurements."""
    half = len(measured) // 2
    if half < 4:
        raise ValueError("too few measurements for a line")
    x, y = np.array(acts[half:], float), np.array(measured[half:], float)
    spread = float(((x - x.mean()) ** 2).sum())
    if not spread:
        return Slope(0.0, math.inf)
    each = float(((x - x.mean()) * (y - y.mean())).sum() / spread)
    left = y - y.mean() - each * (x - x.mean())
    return Slope(each, math.sqrt(float((left**2).sum()) / (len(x) - 2) / spread))


def of_each_act(counts: Sequence[Mapping[str, int]], measured: Sequence[float]) -> dict[str, Slope]:
    """The line for each act by itself, as often as it was done by then."""
    names = sorted({name for one in counts for name in one})
    return {name: slope([one.get(name, 0) for one in counts], measured) for name in names}
