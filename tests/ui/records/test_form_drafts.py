"""What is half filled is kept while it is typed, offered again, and let go with OK or Cancel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.commands import Apply, Command, Draft, KeepDraft
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import DraftsMoved
from petstore_desktop.ui.connection.connect import ConnectDialog
from petstore_desktop.ui.ordering.new_order_dialog import NewOrderDialog
from petstore_desktop.ui.records.record_dialogs import NewPetDialog, RecordDialog
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import spoken_words
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop


def opened(window: MainWindow, action: str) -> QDialog:
    """The dialog that an action opens."""
    window.parts.actions[action].trigger()
    (dialog,) = [one for one in window.findChildren(QDialog) if one.isVisible()]
    return dialog


def question_of(window: MainWindow) -> list[QDialog]:
    return [one for one in window.findChildren(QDialog, "formLeaveDialog") if one.isVisible()]


def question(window: MainWindow) -> QDialog:
    """What is asked before a form is closed."""
    (asked,) = question_of(window)
    return asked


def kept(shop: RecordingShop) -> list[tuple[str, dict[str, str] | None]]:
    return shop.asked_for("keep_draft")


def left_over(qtbot: QtBot, shop: RecordingShop, form: str, content: dict[str, str]) -> None:
    """A draft of an earlier run."""
    shop.events.tell(DraftsMoved(CONNECTION, (Draft(form, NOON - 600, content),)))
    qtbot.waitUntil(lambda: form in shop.desk.drafts)


def test_new_pets_are_kept_within_a_second_of_the_key_and_let_go_with_cancel(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = opened(window, "newPet")
    assert isinstance(dialog, NewPetDialog)
    dialog.category.set_value("2")
    qtbot.keyClicks(dialog.names, "Ada")
    qtbot.waitUntil(lambda: bool(kept(shop)))
    assert kept(shop) == [("new-pet", {"category": "2", "names": "Ada", "status": "available", "stock": ""})]
    dialog.reject()
    question(window).accept()
    assert not dialog.isVisible()
    assert kept(shop)[1:] == [("new-pet", None)]


@pytest.mark.parametrize("action", ["newPet", "newOrder", "newCategory", "edit", "connectShop"])
def test_no_form_drops_what_was_typed_without_a_question(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, action: str
) -> None:
    """Esc on a filled New order closed it."""
    tab_of(window).show_ref(Ref(Resource.PETS, 1234))
    dialog = opened(window, action)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible(), "nothing is typed"
    dialog = opened(window, action)
    field = dialog.focusWidget()
    assert field is not None
    qtbot.keyClicks(field, "2 x")
    for _ in range(2):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        if not question_of(window):  # it closed the list of a field first
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        asked = question(window)
        assert asked.windowTitle() == "Close without saving?"
        assert asked.focusWidget().text() == "Keep editing"
        qtbot.keyClick(asked, Qt.Key.Key_Escape)
        assert dialog.isVisible()
    dialog.close()
    question(window).accept()
    assert not dialog.isVisible()


def test_what_is_not_touched_is_not_kept(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, "newCategory")
    assert isinstance(dialog, RecordDialog)
    dialog.reject()
    assert kept(shop) == []


def test_a_draft_is_filled_in_and_ends_with_ok(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    left_over(qtbot, shop, "new-category", {"name": "Geckos", "description": "small"})
    dialog = opened(window, "newCategory")
    assert isinstance(dialog, RecordDialog)
    assert "Your draft of 13:12" in spoken_words(dialog)
    assert (dialog.name.text(), dialog.texts["description"].text()) == ("Geckos", "small")
    dialog.accept()
    ((change,),) = shop.asked_for("apply")
    assert change.intent.fields == {"name": "Geckos", "description": "small"}
    assert kept(shop) == [("new-category", None)]


@pytest.mark.parametrize("action", ["newPet", "newCategory", "newOrder", "edit"])
def test_what_is_saved_ends_its_draft_in_the_same_step(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """Else a crash in between would offer it again, and it would be made twice."""
    tab_of(window).show_ref(Ref(Resource.PETS, 1234))
    dialog = opened(window, action)
    if isinstance(dialog, NewPetDialog):
        dialog.names.setPlainText("Ada")
    elif isinstance(dialog, RecordDialog):
        dialog.name.set_text("Ada")
    elif isinstance(dialog, NewOrderDialog):
        dialog.quantity.set_text("7")
    qtbot.waitUntil(lambda: bool(kept(shop)))
    (form,) = {name for name, _ in kept(shop)}
    sent: list[Command] = []
    monkeypatch.setattr(shop, "submit", sent.append)
    dialog.accept()
    ends = [command for command in sent if isinstance(command, KeepDraft)]
    (applied,) = [command for command in sent if isinstance(command, Apply)]
    assert (applied.drafts, ends) == ((KeepDraft(form, None),), [])


def test_an_edit_that_changes_nothing_ends_its_draft_too(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).show_ref(Ref(Resource.PETS, 1234))
    dialog = opened(window, "edit")
    assert isinstance(dialog, RecordDialog)
    dialog.name.set_text("Ada")
    qtbot.waitUntil(lambda: bool(kept(shop)))
    dialog.name.set_text("Koi")
    dialog.accept()
    assert shop.asked_for("apply") == []
    assert kept(shop)[-1] == ("edit-pet:1234", None)


def test_one_can_begin_anew(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    left_over(qtbot, shop, "edit-pet:1234", {"name": "Kai", "status": "sold"})
    tab_of(window).show_ref(Ref(Resource.PETS, 1234))
    dialog = opened(window, "edit")
    assert isinstance(dialog, RecordDialog)
    assert (dialog.name.text(), dialog.choices["status"].value()) == ("Kai", "sold")
    link, row = dialog.findChild(LinkLabel, "beginAnew"), dialog.findChild(QWidget, "draftRow")
    assert link is not None
    assert row is not None
    link.click()
    assert (dialog.name.text(), dialog.choices["status"].value()) == ("Koi", "available")
    assert not row.isVisible()
    assert kept(shop) == [("edit-pet:1234", None)]


def test_the_draft_of_one_pet_is_not_offered_for_another(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    left_over(qtbot, shop, "edit-pet:1234", {"name": "Kai"})
    tab_of(window).show_ref(Ref(Resource.PETS, 877))
    dialog = opened(window, "edit")
    assert isinstance(dialog, RecordDialog)
    assert dialog.name.text() == "Budgerigar, sky blue"


def test_a_connection_is_kept_without_its_key(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, "connectShop")
    assert isinstance(dialog, ConnectDialog)
    qtbot.keyClicks(dialog.form.url.edit, "https://other.example")
    qtbot.keyClicks(dialog.form.key.edit, "sk-secret")
    qtbot.waitUntil(lambda: bool(kept(shop)))
    ((form, content),) = kept(shop)
    assert (form, content and content["url"]) == ("connect", "https://other.example")
    assert "sk-secret" not in str(kept(shop))
    dialog.reject()
