"""The whole tour in probe colours (tests/ui/base/colour_pairs.py), ordinary and in high contrast: which colour is on
which, and whether each is of the theme. A sample takes one of the two tours."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QImage

from tests.long._running import run_from, say
from tests.ui.base.colour_pairs import drawn_on, found_pairs, wrong_in

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("ordinary", "contrast")
MOST_S = 900
HIGH = "-contrast-"
"""What the names of pictures say that the tour takes in high contrast; those after them are in ordinary colours."""


def toured(kind: str, folder: Path) -> list[Path]:
    """The pictures of a tour. Raises AssertionError where it did not hold."""
    command = [sys.executable, "-m", "tests.ui.base.probe_pictures", kind, "tour", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=MOST_S, check=False)
    assert done.returncode == 0, done.stderr
    return sorted(folder.glob("*.png"), key=lambda path: int(path.name.partition("-")[0]))


def judged(kind: str, pictures: list[Path]) -> list[str]:
    """What is wrong in them."""
    last = max(at for at, path in enumerate(pictures) if HIGH in path.name)
    wrong: list[str] = []
    for at, path in enumerate(pictures):
        high = HIGH in path.name or (kind == "contrast" and at <= last)
        picture = QImage(str(path))
        wrong += wrong_in(path.stem, picture, drawn_on(found_pairs(picture)), high=high)
    return wrong


def main(argv: list[str]) -> int:
    """Return 0 if nothing is wrong in any picture."""
    run = run_from(argv, "colours")
    count = 0
    for kind in KINDS if run.full else [random.Random(run.seed).choice(KINDS)]:
        with tempfile.TemporaryDirectory(prefix="petstore-colours-") as folder:
            pictures = toured(kind, Path(folder))
            wrong = judged(kind, pictures)
        if wrong:
            say("\n".join(wrong))
            return 1
        count += len(pictures)
    say(f"{count} pictures: every pair of colours is known, and all are of the theme")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
