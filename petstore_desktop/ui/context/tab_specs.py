"""What differs between the tabs of records, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Kind


@dataclass(frozen=True, slots=True)
class TabSpec:
    """One tab: `view` names what is listed, `tools` are (action, kind of button) of the tool bar, `main` the action for
    an empty list, `pane` the details pane's width at base 13, `narrow_pane` that in a small window."""

    resource: Resource
    icon: str
    view: Callable[[], str]
    tools: tuple[tuple[str, Kind], ...]
    main: str
    pane: int
    narrow_pane: int = 296


SPECS: tuple[TabSpec, ...] = (
    TabSpec(
        Resource.PETS,
        "paw",
        lambda: tr("All pets"),
        (("edit", "quiet"), ("importFile", "quiet"), ("refresh", "quiet"), ("newPet", "plain")),
        "newPet",
        320,
    ),
    TabSpec(
        Resource.CATEGORIES,
        "tag",
        lambda: tr("All categories"),
        (("edit", "quiet"), ("refresh", "quiet"), ("newCategory", "plain")),
        "newCategory",
        320,
    ),
    TabSpec(
        Resource.ORDERS,
        "receipt",
        lambda: tr("All orders"),
        (("importFile", "quiet"), ("refresh", "quiet"), ("completeOrder", "plain")),
        "",
        360,
        344,  # its two buttons need the room
    ),
    TabSpec(
        Resource.INVENTORY,
        "box",
        lambda: tr("All stock"),
        (("editStock", "quiet"), ("importFile", "quiet"), ("refresh", "quiet")),
        "",
        320,
    ),
)
