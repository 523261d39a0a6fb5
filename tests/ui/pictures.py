"""Writes what is painted to files that a test looks through."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QImage, QPixmap

PICTURES = "*.bmp"


def write(picture: QImage | QPixmap, folder: Path, name: str) -> None:
    """Write a picture as a bitmap: a PNG takes ten times as long, which is as long as to paint it."""
    assert picture.save(str(folder / f"{name}.bmp"))
