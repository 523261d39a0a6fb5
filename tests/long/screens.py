"""The whole tour on screens of several sizes: everything that opens is inside the screen, with its buttons in sight."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.long._running import run_from, say

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ((1024, 600, 1), (1280, 800, 1), (1920, 1080, 1), (1920, 1080, 2))
"""Width and height in pixels, and by how much the system enlarges what is on them."""
MOST_S = 900


def tour(folder: Path, width: int, height: int, scale: int) -> str:
    """What the tour says of a screen; "" if every step held."""
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [{"width": width, "height": height, "logicalDpi": 96, "dpr": 1}]}))
    without = {"DISPLAY", "WAYLAND_DISPLAY"}
    own = {"QT_QPA_PLATFORM": f"offscreen:configfile={screens}", "QT_SCALE_FACTOR": str(scale)}
    arguments = ("--data-dir", folder / "data", "--demo", "--plan", "free", "--tour", folder / "pictures")
    done = subprocess.run(
        [sys.executable, "-m", "petstore_desktop", *map(str, arguments)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in without} | own,
        capture_output=True,
        text=True,
        timeout=MOST_S,
        check=False,
    )
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"


def main(argv: list[str]) -> int:
    """Return 0 if every tour held; each screen is tried once, as many of them as there is time for."""
    run = run_from(argv, "screens")
    chosen = list(SCREENS)
    random.Random(run.seed).shuffle(chosen)
    tried: list[str] = []
    for width, height, scale in chosen:
        if tried and not run.goes_on():
            break
        name = f"{width} x {height}, scale {scale}"
        with tempfile.TemporaryDirectory(prefix="petstore-screens-") as folder:
            said = tour(Path(folder), width, height, scale)
        if said:
            say(f"{name}: {said}")
            return 1
        tried.append(name)
    say(f"{len(tried)} of {len(SCREENS)} screens ({'; '.join(tried)}): nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
