"""Why what a person enters is not taken, in a few words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.ui.text.translate import tr

INPUT: Mapping[str, Callable[[], str]] = {
    "quantity-empty": lambda: tr("Enter a number."),
    "below-minimum": lambda: tr("Enter at least the minimum."),
    "quantity-unreadable": lambda: tr("Enter a whole number."),
    "quantity-fraction": lambda: tr("Enter a whole number: no fraction."),
    "quantity-too-large": lambda: tr("This number is too large for the service."),
    "quantity-none": lambda: tr("Enter at least 1."),
    "quantity-below-zero": lambda: tr("Quantity can’t be negative."),
    "limit-unreadable": lambda: tr("Enter a whole number."),
    "limit-fraction": lambda: tr("Enter a whole number: no fraction."),
    "limit-too-small": lambda: tr("Enter at least 1, or leave it empty."),
    "limit-too-large": lambda: tr("This number is too large."),
    "no-stock-entry": lambda: tr("There is no stock entry for this pet."),
    "stock-not-read": lambda: tr("The stock of this pet has not been read."),
    "name-empty": lambda: tr("Enter a name."),
    "category-missing": lambda: tr("Choose a category."),
    "no-such-category": lambda: tr("There is no such category."),
    "category-not-read": lambda: tr("Not all categories have been read: whether there is this one is not known."),
    "several-categories": lambda: tr("Several categories have this name: enter the id."),
    "no-such-status": lambda: tr("There is no such status."),
    "pet-missing": lambda: tr("Choose a pet."),
    "no-such-pet": lambda: tr("There is no such pet."),
    "pet-not-read": lambda: tr("Not all pets have been read: whether there is this one is not known."),
    "date-unreadable": lambda: tr("Enter a valid date."),
    "date-missing": lambda: tr("Enter a date."),
    "state-missing": lambda: tr("Choose open or complete."),
    "not-editable": lambda: tr("This cannot be edited."),
    "plain-http": lambda: tr("The address must begin with https:// (http:// only for this computer)."),
    "url": lambda: tr("This is not the address of a service."),
    "address-unusable": lambda: tr("This is not the address of a service; one begins with https://."),
    "address-insecure": lambda: tr("The address must begin with https:// (http:// only for this computer)."),
    "address-with-credentials": lambda: tr("The address holds a password; enter it as the key instead."),
    "url-holds-secret": lambda: tr("The address holds a password; enter it as the key instead."),
    "key-unusable": lambda: tr("This key contains characters that cannot be sent. Copy it again."),
    "key-too-long": lambda: tr("This key is longer than 16,384 characters, which no service takes. Copy it again."),
    "no-key": lambda: tr("There is no key yet, so nothing is sent (File > Change key)."),
    "name-taken": lambda: tr("Another connection has this name; choose another."),
    "value-kept": lambda: tr("For another value, connect another shop."),
    "unknown-field": lambda: tr("Records of this kind do not have the field that was entered."),
    "being-sent": lambda: tr("This is being sent and cannot be discarded now. What became of it is shown shortly."),
    "unsent-changes": lambda: tr("Changes wait for the old address; send or discard them first."),
}


def bad_input_words(code: str) -> str:
    """Why an input is not taken, in a few words."""
    said = INPUT.get(code)
    return said() if said else tr("This cannot be understood.")
