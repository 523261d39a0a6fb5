"""The whole tour, from the welcome page to the closed window, on screens of several sizes and in several languages:
everything that opens is inside the screen, with its buttons in sight, each picture is another, no text is cut that no
tool tip says, and in the languages that are made from the English texts (tests/support/spoken.py) none is left out."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.long._running import run_from, say
from tests.support.tour_in import TEXTS

ROOT = Path(__file__).resolve().parents[2]
SCREENS = (
    (1024, 600, 1, "en_GB"),
    (1284, 804, 1, "pseudo"),
    (1284, 804, 1, "mirrored"),
    (1284, 804, 1, "ar"),
    (1284, 804, 1, "de"),
    (1280, 800, 1, "en_GB"),
    (1920, 1080, 1, "en_GB"),
    (1920, 1080, 2, "en_GB"),
)
"""Width and height in pixels, by how much the system enlarges what is on them, and the language."""
MOST_S = 900
PICTURES = 48
STOPPED = {"paused", "day-used-up", "banned", "key", "unknown-limit", "skewed-clock"}
"""What a service may do to whoever uses it, each with a picture of what the window says of it."""
IN_BOTH = {"paused", "day-used-up", "banned"}
"""Of these one in each theme."""


def tour(folder: Path, width: int, height: int, scale: int, language: str) -> str:
    """What the tour says of a screen; "" if every step held."""
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [{"width": width, "height": height, "logicalDpi": 96, "dpr": 1}]}))
    without = {"DISPLAY", "WAYLAND_DISPLAY"}
    own = {"QT_QPA_PLATFORM": f"offscreen:configfile={screens}", "QT_SCALE_FACTOR": str(scale)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.tour_in", language, str(folder / "pictures"), str(folder / "data")],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in without} | own,
        capture_output=True,
        text=True,
        timeout=MOST_S,
        check=False,
    )
    if done.returncode:
        return done.stderr.strip() or f"exit code {done.returncode}"
    left = [path.name for path in (folder / "data").iterdir()]
    return "; ".join(wrong(folder / "pictures") + [f"it left {name} in the data folder" for name in left])


def wrong(pictures: Path) -> list[str]:
    """What is wrong with what a tour that held has left."""
    steps = json.loads((pictures / "tour.json").read_text(encoding="utf-8"))
    texts: dict[str, list[str]] = json.loads((pictures / TEXTS).read_text(encoding="utf-8"))
    named = [step["picture"] for step in steps if step["picture"]]
    shown = {tuple(name.removesuffix(".png").partition("-")[2].rpartition("-")[::2]) for name in named}
    found = [f"the step {step['step']} did not hold" for step in steps if not step["ok"] or "said" in step]
    found += [f"{picture}: {fault}" for picture, faults in texts.items() for fault in faults]
    if sorted(named) != sorted(path.name for path in pictures.glob("*.png")) or len(named) < PICTURES:
        found.append(f"it names {len(named)} pictures, and others than there are, or too few")
    if len({hashlib.sha256((pictures / name).read_bytes()).digest() for name in named}) < len(named):
        found.append("two pictures are the same")
    missing = {*((step, theme) for step in IN_BOTH for theme in ("light", "dark"))} - shown
    missing |= {(step, "any theme") for step in STOPPED - {step for step, _ in shown}}
    return [*found, *(f"no picture of {step} in {theme}" for step, theme in sorted(missing))]


def main(argv: list[str]) -> int:
    """Return 0 if every tour held; each screen is tried once, as many of them as there is time for."""
    run = run_from(argv, "screens")
    chosen = list(SCREENS)
    random.Random(run.seed).shuffle(chosen)
    tried: list[str] = []
    for width, height, scale, language in chosen:
        if tried and not run.goes_on():
            break
        name = f"{width} x {height}, scale {scale}, {language}"
        with tempfile.TemporaryDirectory(prefix="petstore-screens-") as folder:
            said = tour(Path(folder), width, height, scale, language)
        if said:
            say(f"{name}: {said}")
            return 1
        tried.append(name)
    say(f"{len(tried)} of {len(SCREENS)} screens ({'; '.join(tried)}): nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
