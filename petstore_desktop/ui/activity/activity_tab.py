"""The Activity tab: the outbox, changes that need attention, all changes, and the requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from petstore_desktop.ui.activity.changes_page import ChangesPage
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.activity.requests_page import RequestsPage
from petstore_desktop.ui.activity.review_page import ReviewPage
from petstore_desktop.ui.activity.waiting_page import WaitingPage
from petstore_desktop.ui.bars.page_switch import PAD, PageSwitch
from petstore_desktop.ui.bars.tool_bar import ToolBar
from petstore_desktop.ui.base.building import in_column
from petstore_desktop.ui.context.action_set import ActionContext
from petstore_desktop.ui.context.navigation import PAGES, Page
from petstore_desktop.ui.context.tab_specs import TabPage
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Say


class ActivityTab(TabPage):
    """Its pages, one at a time, and the tool bar of the shown one.

    Signals:
        contextChanged(): another page is shown, or there is something to copy now.
    """

    contextChanged = Signal()

    def __init__(
        self,
        shop: LiveShop,
        edits: Edits,
        say: Say,
        open_record: Callable[[Ref], None],
        mend: Callable[[], None],
        parent: QWidget,
    ) -> None:
        """`mend` opens what the record on the screen is edited by."""
        super().__init__(parent)
        self.setObjectName("activityTab")
        self.waiting = WaitingPage(shop, edits, say, open_record, self)
        self.review = ReviewPage(edits, say, open_record, self)
        self.changes = ChangesPage(shop, edits, say, open_record, mend, self)
        self.requests = RequestsPage(shop, say, self)
        self._pages: tuple[ListPage, ...] = (self.waiting, self.review, self.changes, self.requests)
        self.bar = ToolBar(parent=self)
        self.switch = PageSwitch(
            (
                ("waitingPageButton", tr("Outbox")),
                ("reviewPageButton", tr("Needs attention")),
                ("changesPageButton", tr("Changes")),
                ("requestsPageButton", tr("Requests")),
            )
        )
        self._stack = QStackedWidget(self)
        self._copies = False
        self._lay_out()
        self.switch.chosen.connect(self._show)
        for page in (self.waiting, self.review, self.changes):
            page.countsChanged.connect(self._update)
        self._show(0)

    def _lay_out(self) -> None:
        self.bar.lead(self.switch, PAD)
        for page in self._pages:
            self._stack.addWidget(page)
            for action in page.tools:
                self.bar.add_action(action)
                action.triggered.connect(self._back_to_list)
        in_column(self, self.bar, self.waiting.jobs, (self._stack, 1))

    def page(self) -> ListPage:
        """The shown page."""
        return self._pages[self._stack.currentIndex()]

    def page_name(self) -> Page:
        """The name of the page that is shown."""
        return PAGES[self._pages.index(self.page())]

    def show_page(self, page: Page) -> None:
        """Show a page, with the keyboard in its list."""
        self.switch.choose(PAGES.index(page))
        self.focus_list()

    def focus_list(self) -> None:
        """Give the keyboard to the list, or where there is none to what chooses the page."""
        shown = self.page()
        if shown.currentWidget() is shown.view:
            shown.view.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.switch.focus_shown()

    def _back_to_list(self, _checked: bool = False) -> None:
        """Keep the focus on a tool bar button that its own act has disabled, else the next control gets it."""
        focused = QApplication.focusWidget()
        if focused is not None and self.bar.isAncestorOf(focused):
            self.focus_list()

    def _show(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.waiting.jobs.set_wanted(self.page() is self.waiting)
        for page in self._pages:
            for action in page.tools:
                action.setVisible(page is self.page())
        self._update()
        self.contextChanged.emit()

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge. The keyboard stays here, whatever is disabled or hidden by it."""
        held = self._has_keyboard()
        for page in self._pages:
            page.desk_changed(moved)
        self._update()
        if held and not self._has_keyboard():
            self.focus_list()
        if self._copies != self.page().copies:
            self.contextChanged.emit()

    def _has_keyboard(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _update(self) -> None:
        self.bar.set_counts(self.page().counts)

    def context(self) -> ActionContext:
        """What the window's actions may do here."""
        self._copies = self.page().copies
        return ActionContext(copies=self._copies)

    def copy(self) -> None:
        """Copy from the shown page."""
        if self.page() is self.requests:
            self.requests.copy()
