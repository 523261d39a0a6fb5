"""Makes the icon files of Windows and macOS from the program's own drawing: PNG pictures in their two envelopes."""

from __future__ import annotations

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from release.version import ROOT

DRAWING = ROOT / "resources" / "icons" / "app.svg"
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_KINDS = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic10": 1024,
    b"ic11": 32,
    b"ic12": 64,
}


def png(size: int, drawing: Path = DRAWING) -> bytes:
    """Return the drawing as a PNG picture of so many points on each side."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # pyright: ignore[reportArgumentType] - the stubs lack that a device's format is a str
    return bytes(content.data())


def write_ico(out: Path) -> None:
    """Write an icon file of Windows: a table of pictures, then the pictures."""
    pictures = [png(size) for size in ICO_SIZES]
    table, place = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    for size, picture in zip(ICO_SIZES, pictures, strict=True):
        table += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    out.write_bytes(table + b"".join(pictures))


def write_icns(out: Path) -> None:
    """Write an icon file of macOS: each picture after its kind and length."""
    pictures = {kind: png(size) for kind, size in ICNS_KINDS.items()}
    body = b"".join(kind + struct.pack(">I", len(one) + 8) + one for kind, one in pictures.items())
    out.write_bytes(b"icns" + struct.pack(">I", len(body) + 8) + body)


def write_all(folder: Path) -> list[Path]:
    """Write both icon files into a folder, under the program's name, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / "petstore-desktop.ico", folder / "petstore-desktop.icns"]
    write_ico(made[0])
    write_icns(made[1])
    return made
