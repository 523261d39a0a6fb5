"""What every bench prints: one JSON object, and the exit code that says whether its goals hold."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

MEDIAN_OF_WORST = "median of the runs' worst"
"""How the output names what is judged of figures that each run has many of."""
_CPU_FACTS = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure, once for each run. Of everything measured here less is better, so the worst is the largest."""

    unit: str
    values: Sequence[float]

    def shown(self) -> dict[str, object]:
        """Return it as it is printed. Raises statistics.StatisticsError without a value."""
        return {
            "unit": self.unit,
            "median": _rounded(statistics.median(self.values)),
            "worst": _rounded(max(self.values)),
        }


@dataclass(frozen=True, slots=True)
class Goal:
    """A value that must not be above its bound."""

    bound: float
    value: float

    @property
    def holds(self) -> bool:
        """Whether it is not; a value that is no number holds nothing."""
        return self.value <= self.bound

    def shown(self) -> dict[str, object]:
        """Return it as it is printed; `holds` is decided before anything is rounded."""
        return {"bound": self.bound, "value": _rounded(self.value), "holds": self.holds}


@dataclass(slots=True)
class Report:
    """What one bench has found."""

    bench: str
    runs: int
    metrics: dict[str, Metric] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)
    goals: dict[str, Goal] = field(default_factory=dict)

    def shown(self, *, busy: bool = False) -> dict[str, object]:
        """Return the object that is printed."""
        return {
            "bench": self.bench,
            "machine": {**machine(), "busy": busy},
            "runs": self.runs,
            "metrics": {name: metric.shown() for name, metric in self.metrics.items()},
            "ratios": {name: _rounded(value) for name, value in self.ratios.items()},
            "goals": {name: goal.shown() for name, goal in self.goals.items()},
        }

    def finish(self, *, one_line: bool, busy: bool = False) -> int:
        """Print it to stdout and return the exit code: 1 where a goal does not hold. `busy`: a core was kept busy."""
        print(json.dumps(self.shown(busy=busy), indent=None if one_line else 2), flush=True)
        return int(not all(goal.holds for goal in self.goals.values()))


def machine() -> dict[str, object]:
    """Return what the figures depend on besides the program."""
    from PySide6 import __version__ as qt

    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "qt": qt,
        "screen": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
    }


def arguments(
    argv: Sequence[str], says: str, runs: int, pets: int | None = None, most: int | None = None, **flags: str
) -> argparse.Namespace:
    """Parse what each bench takes: `--json`, `--runs`, `--busy`; and flags of its own, with what they say. `pets`, for
    a bench that takes `--pets`, and `most`, for one that goes on until its medians stand still, are what it has without
    the option."""
    least = "" if most is None else " at least"
    parser = argparse.ArgumentParser(description=says)
    parser.add_argument("--json", action="store_true", help="print the object on one line")
    parser.add_argument("--runs", type=int, default=runs, metavar="N", help=f"how often{least} (default: {runs})")
    parser.add_argument("--busy", action="store_true", help="keep one core busy by a process of the bench's own")
    if pets is not None:
        parser.add_argument("--pets", type=int, default=pets, metavar="N", help=f"how many pets (default: {pets})")
    if most is not None:
        still = f"how often at most, until the medians stand still (default: {most})"
        parser.add_argument("--most", type=int, default=most, metavar="N", help=still)
    for name, help_ in flags.items():
        parser.add_argument(f"--{name}", action="store_true", help=help_)
    return parser.parse_args(argv)


def say(text: str) -> None:
    """Tell the person how it goes; stdout is for the object alone."""
    print(text, file=sys.stderr, flush=True)


def _processor() -> str:
    if _CPU_FACTS.is_file():
        for line in _CPU_FACTS.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _rounded(value: float) -> float:
    return round(value, 3)
