"""What colours look like to people who see fewer of them. Also a tool: copies of pictures as they see them.

    python -m tests.ui.base.colour_blind FOLDER TO

The matrices are those of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency" (IEEE Transactions on Visualization and Computer Graphics, 2009), severity 1, on linear RGB.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor, QImage

from petstore_desktop.threads import run_to_end
from tests.ui.pictures import PICTURES

Floats: TypeAlias = npt.NDArray[np.float64]
KINDS: Final[Mapping[str, Floats]] = {
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
_XYZ: Final = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
"""Linear sRGB to CIE XYZ (IEC 61966-2-1); the white is the sum of each row."""


def _linear(values: Floats) -> Floats:
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _seen(values: Floats, kind: str) -> Floats:
    """Colours of 0 to 1, in the last axis, as they are seen."""
    linear = np.clip(_linear(values) @ KINDS[kind].T, 0, 1)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def _parts(colour: str) -> Floats:
    return np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])


def seen(colour: str, kind: str) -> str:
    """A colour as `#RRGGBB` as it is seen."""
    red, green, blue = (round(part * 255) for part in _seen(_parts(colour), kind).tolist())
    return QColor(red, green, blue).name().upper()


def difference(one: str, other: str) -> float:
    """How unlike two colours are: the distance in CIE L*a*b* (CIE 1976); about 2 can just be seen side by side."""
    return float(np.linalg.norm(_lab(one) - _lab(other)))


def _lab(colour: str) -> Floats:
    part = _XYZ @ _linear(_parts(colour)) / _XYZ.sum(axis=1)
    root: Floats = np.where(part > (6 / 29) ** 3, np.cbrt(part), part / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = map(float, root)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def seen_picture(picture: QImage, kind: str) -> QImage:
    """A picture as it is seen."""
    image = picture.convertToFormat(QImage.Format.Format_RGB888)
    high, wide = image.height(), image.width()
    raw = np.frombuffer(image.constBits(), np.uint8).reshape(high, image.bytesPerLine())[:, : 3 * wide]
    found = _seen(raw.reshape(high, wide, 3) / 255, kind)
    data = np.ascontiguousarray((found * 255).round().astype(np.uint8)).tobytes()
    return QImage(data, wide, high, 3 * wide, QImage.Format.Format_RGB888).copy()


def main(arguments: list[str]) -> int:
    folder, target = map(Path, arguments)
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted([*folder.glob("*.png"), *folder.glob(PICTURES)]):
        for kind in KINDS:
            seen_picture(QImage(str(path)), kind).save(str(target / f"{path.stem}-{kind}.png"))
    return 0


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1:]))
