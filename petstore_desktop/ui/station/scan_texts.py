"""What both desks that are scanned into say of a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.scanning.session import ScanLine


def pet_name(desk: Desk, pet: Key, kept: str = "") -> str:
    """The name of a pet, without its id; `kept`: what it was called when it was counted."""
    return plain(desk.title(Ref(Resource.PETS, pet))) or plain(kept) or tr("(no name)")


def how_words(line: ScanLine) -> str:
    """How a number came about: `12 typed, 2 scans`."""
    scans = tr("{n} scans", "", line.scans, one="{n} scan")
    if line.typed is None:
        return scans
    typed = tr("{number} typed", number=number(line.typed))
    return tr("{typed}, {scans}", typed=typed, scans=scans) if line.scans else typed
