"""The icons: all there, all different where the difference carries a meaning, tinted and kept."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QAction, QColor, QIcon, QImage, QTransform
from PySide6.QtWidgets import QApplication

from petstore_desktop import resources
from petstore_desktop.ui.base import icons

MEANINGS = sorted({*icons.STATUS, *icons.MARKS, "low", "pause", "live", "offline", "as-of"} - {"complete"})


def silhouette(name: str) -> frozenset[int]:
    """The pixels of a 28 px drawing that are more than half covered."""
    image = icons.pixmap(name, "#000000", 14, 2.0).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    side = image.width()
    return frozenset(
        y * side + x for y in range(side) for x in range(side) if QColor(image.pixelColor(x, y)).alpha() > 127
    )


@pytest.mark.parametrize("name", sorted(icons.NAMES))
def test_each_icon_is_drawn_within_its_grid(qapp: QApplication, name: str) -> None:
    shape = silhouette(name)
    assert len(shape) > 12
    if name != "app":
        source = resources.path("icons", f"{name}.svg").read_text(encoding="utf-8")
        root = ElementTree.fromstring(source)
        assert root.get("viewBox") == "0 0 16 16"
        assert root.get("stroke-linecap") == "round"
        assert '"C"' in source


def test_every_drawing_in_the_folder_has_a_name_and_the_reverse() -> None:
    assert {path.stem for path in resources.path("icons").glob("*.svg")} == set(icons.NAMES)


def test_states_and_marks_differ_by_their_silhouettes_alone(qapp: QApplication) -> None:
    shapes = {name: silhouette(name) for name in MEANINGS}
    for (one, first), (other, second) in itertools.combinations(shapes.items(), 2):
        overlap = len(first & second) / len(first | second)
        assert overlap < 0.8, f"{one} looks like {other}"


def test_complete_is_the_full_disc_of_sold(qapp: QApplication) -> None:
    assert silhouette("complete") == silhouette("sold")


def test_an_icon_takes_the_colour_asked_for(qapp: QApplication) -> None:
    image = icons.pixmap("sold", "#1A6B39", 16, 2.0).toImage()
    assert image.pixelColor(6, 16).name().upper() == "#1A6B39"


def test_a_pixmap_is_rendered_once_for_each_name_colour_size_and_density(qapp: QApplication) -> None:
    first = icons.pixmap("paw", "#000000", 16, 2.0)
    assert icons.pixmap("paw", "#000000", 16, 2.0) is first
    assert icons.pixmap("paw", "#000000", 16, 1.0) is not first
    assert (first.width(), first.devicePixelRatio()) == (32, 2.0)


def test_directed_icons_are_mirrored_on_request(qapp: QApplication) -> None:
    plain = icons.pixmap("arrow", "#000000", 16, 2.0)
    turned = icons.pixmap("arrow", "#000000", 16, 2.0, True)
    assert turned.toImage() != plain.toImage()
    assert turned.transformed(QTransform.fromScale(-1, 1)).toImage() == plain.toImage()


def test_an_unknown_name_is_an_error(qapp: QApplication) -> None:
    with pytest.raises(KeyError):
        icons.pixmap("dragon", "#000000")


def test_a_menus_icon_is_quieter_when_disabled_and_follows_the_palette(qapp: QApplication) -> None:
    action = QAction("Edit")
    icons.set_icon(action, "pencil")
    icons.tint([action])
    normal = action.icon().pixmap(16, 16, QIcon.Mode.Normal).toImage()
    assert normal != action.icon().pixmap(16, 16, QIcon.Mode.Disabled).toImage()
    before = qapp.palette()
    changed = qapp.palette()
    changed.setColor(changed.ColorRole.WindowText, QColor("#FF0000"))
    try:
        qapp.setPalette(changed)
        icons.tint([action])
        assert action.icon().pixmap(16, 16, QIcon.Mode.Normal).toImage() != normal
    finally:
        qapp.setPalette(before)


def test_the_programs_icon_comes_in_the_sizes_a_desktop_asks_for(qapp: QApplication) -> None:
    sizes = {size.width() for size in icons.app_icon().availableSizes()}
    assert {16, 32, 48, 256} <= sizes
