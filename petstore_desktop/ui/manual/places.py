"""Which page of the manual fits a place of the window: by the object names of tabs, pages, plates and dialogs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

FIRST = "first-start"
PLACES: Mapping[str, str] = {
    # windows, tabs, and pages over them
    "welcomePage": "connect",
    "todayTab": "today",
    "comparePage": "compare",
    "petsTab": "pets",
    "categoriesTab": "pets",
    "ordersTab": "orders",
    "inventoryTab": "stock",
    "receivePage": "receive",
    "stocktakePage": "stocktake",
    "labelsPage": "labels",
    "waitingPage": "offline",
    "reviewPage": "attention",
    "changesPage": "compare",
    "requestsPage": "limits",
    # fields, plates and bars
    "filterField": "filter",
    "filterChips": "filter",
    "paletteField": "jump",
    "palettePopup": "jump",
    "scanPlate": "scan",
    "whichPet": "scan",
    "pauseBanner": "limits",
    "quotaMeter": "limits",
    "quotaPopup": "limits",
    "rehearsalBar": "rehearse",
    "shopButton": "shops",
    "connectionState": "troubleshooting",
    # dialogs
    "aboutDialog": "data",
    "bulkEditDialog": "many",
    "cancelOrderDialog": "orders",
    "categoryDialog": "pets",
    "clocksDialog": "troubleshooting",
    "closingDialog": "offline",
    "codesDialog": "scan",
    "comparePrintDialog": "compare",
    "connectDialog": "connect",
    "connectionDialog": "connect",
    "deleteDialog": "pets",
    "discardDialog": "offline",
    "doctorDialog": "troubleshooting",
    "editPetDialog": "pets",
    "endRehearsalDialog": "rehearse",
    "errorDialog": "troubleshooting",
    "exportListDialog": "export",
    "forgetDialog": "shops",
    "forgottenDialog": "shops",
    "formLeaveDialog": "edit",
    "helpDialog": "keyboard",
    "importDialog": "import",
    "importLeaveDialog": "import",
    "keyDialog": "connect",
    "lookUpDialog": "jump",
    "lostOperationsDialog": "services",
    "minimumDialog": "reorder",
    "newOrderDialog": "orders",
    "newPetDialog": "pets",
    "noteDialog": "stocktake",
    "operationsDialog": "services",
    "ownSizeDialog": "labels",
    "preferencesDialog": "accessibility",
    "previewDialog": "many",
    "previewLeaveDialog": "many",
    "goPastDialog": "edit",
    "priceDialog": "limits",
    "printDialog": "export",
    "protocolDialog": "stocktake",
    "rawDialog": "attention",
    "rehearseDialog": "rehearse",
    "reportDialog": "report",
    "resumeDialog": "limits",
    "viewNameDialog": "views",
}
"""Object names, and the page of each."""


def page_at(widget: QWidget | None) -> str:
    """The page of the nearest place that a widget is in; empty where none is known."""
    while widget is not None:
        name = widget.objectName()
        if name in PLACES:
            return PLACES[name]
        widget = widget.parentWidget()
    return ""
