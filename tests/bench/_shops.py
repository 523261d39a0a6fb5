"""Shops and connections for the benches: the real demo shop in another process, and the program's own commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.shop import ROOT, Shop

NAME = "bench"
"""The connection, as the benches call it."""


def unlimited(folder: Path, pets: int) -> Shop:
    """Start a demo shop with so many pets and without limits, as someone else's program runs it."""
    return Shop(folder, plan="unlimited", pets=pets)


def clean_environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment for what is measured: this one's, but Python behaves as on a person's computer, where all
    is compiled once. The compiled files go below `folder`, so that a warm-up is enough wherever the checkout lies."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    screen = {"QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    return kept | screen | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")} | more


def command(shop: Shop, data: Path, *args: str) -> None:
    """Run a command of the program on a data directory. Raises RuntimeError with what it said if it fails."""
    env = os.environ | {"PETSTORE_API_KEY": shop.key}
    program = [sys.executable, "-m", "petstore_desktop", "--data-dir", str(data), *args]
    done = subprocess.run(program, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{args[0]} failed: {done.stdout}{done.stderr}")


def connect(shop: Shop, data: Path) -> None:
    """Make the connection; nothing is read yet."""
    command(shop, data, "connect", NAME, "--url", shop.url)


def known_connection(folder: Path, pets: int) -> Path:
    """Return a data directory whose connection has been read whole; its shop is gone again."""
    data = folder / "data"
    with unlimited(folder / "shop", pets) as shop:
        connect(shop, data)
        command(shop, data, "sync", NAME)
    return data
