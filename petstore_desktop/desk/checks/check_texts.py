"""The texts of `check_words` as data: for each code the finding and the advice."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.checks.error_texts import UNREACHABLE, Texts, tr

GOOD: Texts = {
    "address": (tr("{url} answers."), ""),
    "address-empty": (tr("Something answers at {url}, but nothing shows that it is the service."), ""),
    "address-untried": (tr("{url} itself was not reached."), ""),
    "not-reached": (tr("Not checked: something else is in the way."), ""),
    "proxy-passes": (
        tr("Requests go through {proxy}. It sees where they go, but neither the key nor the content."),
        "",
    ),
    "tls": (tr("This computer trusts the certificate."), ""),
    "tls-by-file": (tr("The certificate is trusted, by this computer or by {file}."), ""),
    "key-accepted": (tr("The service takes the key."), ""),
    "key-accepted-elsewhere": (tr("The key is taken at {url}; at the address that you gave nothing asks for it."), ""),
    "key-not-needed": (tr("The service answers without a key."), ""),
    "key-untried": (tr("Not tried: there is nothing to read with it."), ""),
    "published": (tr("The service publishes its OpenAPI document: {named}."), ""),
    "chosen": (tr("The OpenAPI document that was chosen: {named}."), ""),
    "profile": (tr("The connection follows a profile, and nothing is guessed: {named}."), ""),
    "profile-differs": (
        tr("The connection follows the profile {named}, from which the service’s own document differs: {differences}."),
        "",
    ),
    "default": (
        tr("The service publishes none. It answers at the standard paths, so the nine standard operations are used."),
        "",
    ),
    "default-unread": (
        tr(
            "Its document cannot be loaded. It answers at the standard paths, so the nine standard operations are used."
        ),
        "",
    ),
    "limits": (tr("It says how many requests are left: {remaining} of {limit}."), ""),
    "limits-left": (tr("It says how many requests are left: {remaining}, but not of how many."), ""),
    "limits-by-plan": (tr("It does not say its limits; the program counts by the plan that you gave."), ""),
    "clock": (tr("The service’s clock and this computer’s agree."), ""),
    "clock-unknown": (tr("The service does not tell its time."), ""),
}
"""CheckedRows that are OK, or were not reached."""

_CHECK_ADDRESS = tr("Check the address and its path, or ask the service’s provider.")
_ANOTHER = tr("Choose another document.")
_ADDRESS: Texts = {
    **{code: UNREACHABLE[code] for code in ("name", "timeout", "network")},
    "address-unusable": (
        tr("This is not the address of a service. Nothing was sent."),
        tr("Give the base address of its API, such as https://shop.example/v1."),
    ),
    "address-insecure": (
        tr("With plain http, others on the way to {host} could read the key. Nothing was sent."),
        tr("Use an address that begins with https://. Plain http works only on this computer."),
    ),
    "address-with-credentials": (
        tr("The address holds a user name or a password; nothing was sent."),
        tr("Remove them from the address, and enter the password as the key."),
    ),
    "refused": (
        tr("Nothing listens at {host}; nothing was sent."),
        tr("The service may be down: try again later. Or its address has another port."),
    ),
    "protocol": (
        tr("The program that answers at {host} is not a web service."),
        tr("Check the port in the address."),
    ),
    "stopped": (tr("The check was stopped."), ""),
}

_OTHER_KEY = tr("Copy this key again, or ask the service’s provider for another one.")
_FURTHER_KEY = tr(
    "Enter it in the window (File > Change key), or give it by this name with `petstore-desktop connect --further-key`."
)

_KEY: Texts = {
    "key-rejected": (
        tr("The service does not accept the key: {message}."),
        tr(
            "Copy the whole key again, or ask for another one. If the service expects the key in an unusual "
            "place, add its OpenAPI document."
        ),
    ),
    "this-key-rejected": (tr("The service does not accept the key {key}: {message}."), _OTHER_KEY),
    "this-key-rejected-for-some": (
        tr("The service does not accept the key {key}, which it wants for some operations: {message}."),
        _OTHER_KEY,
    ),
    "key-missing": (tr("The service wants another key too: {key}."), _FURTHER_KEY),
    "key-missing-for-some": (tr("For some operations the service wants another key: {key}."), _FURTHER_KEY),
    "key-wanted": (tr("The service needs a key."), tr("Enter the key.")),
    "no-key": (
        tr("There is no key for this connection, so nothing else was checked."),
        tr("Enter it in the window (File > Change key), or give it with `petstore-desktop connect --key-stdin`."),
    ),
    "key-unusable": (
        tr("The key contains characters that cannot be sent. Nothing was sent."),
        tr("Copy it again, without spaces and line breaks."),
    ),
    "key-too-long": (
        tr("The key is longer than 16,384 characters, which no service takes. Nothing was sent."),
        tr("Copy it again, and nothing else with it."),
    ),
    "forbidden": (
        tr("The service does not let this key read anything: {message}."),
        tr("Ask the service’s provider to let this key read, or use another key."),
    ),
    "banned": (
        tr("The service has banned this key until {until}: {message}. Nothing is sent before."),
        tr("Wait until the ban ends. Check whether another program still sends with this key."),
    ),
    "keyring-absent": (
        tr("This computer has no keyring that keeps secrets, so there is no key; only the document was asked for."),
        tr("Set one up, or give the key in the variable PETSTORE_API_KEY."),
    ),
    "keyring-locked": (
        tr("The keyring is locked, so there is no key; only the document was asked for."),
        tr("Unlock the keyring, then check again."),
    ),
    "keyring-silent": (
        tr("The keyring did not answer within five seconds, so there is no key; only the document was asked for."),
        tr("Check whether another window asks for its password, then check again."),
    ),
}

_ANSWERS: Texts = {
    "slow": (
        tr("The service took the request, but did not answer in time."),
        tr("It may be overloaded. Try again later, or ask its provider."),
    ),
    "broken": (
        tr("The connection to {host} broke before the answer came."),
        tr("Try again. If it fails again, check the network and the address."),
    ),
    "html": (
        tr("A web page came back instead of data."),
        tr(
            "This may be the address of a website: ask for the address of the API. Or the network wants you to "
            "sign in first: open the address in a browser."
        ),
    ),
    "redirected": (
        tr("The service redirects to {target}. The program does not follow, so that the key goes nowhere else."),
        tr("If that address is right, enter it."),
    ),
    "redirect-circle": (
        tr("The service redirects in a circle: from {target} back to the same address."),
        _CHECK_ADDRESS,
    ),
    "redirect-nowhere": (
        tr("The service redirects, but does not say where to."),
        tr("Check the address and its path, or ask the service’s provider for the new one."),
    ),
    "question-refused": (
        tr("The service refuses the request (status {status}): {message}."),
        _CHECK_ADDRESS,
    ),
    "not-json": (
        tr("The answer is not JSON, but {content_type}."),
        tr("Check the address and its path."),
    ),
    "not-a-list": (
        tr("Something answers, but not with a list of a pet shop."),
        tr("Check the address and its path: this may be another service."),
    ),
    "empty": (tr("The service sent an empty answer instead of data."), _CHECK_ADDRESS),
    "service-failed": (
        tr("The service failed (status {status}): {message}."),
        tr("Try again later. If it keeps failing, tell the service’s provider."),
    ),
}

_OFFERS: Texts = {
    "no-document": (
        tr("Something answers at {url}, but it has no OpenAPI document there and none of the standard operations."),
        tr(
            "Check the address and its path (it often ends in /v1). If the service has other paths, add its document, "
            "or choose what it is built with."
        ),
    ),
    "document-empty": (
        tr("The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs."),
        tr("Check the address, or choose another document."),
    ),
    "document-place": (
        tr("The service keeps its records below {scope}, and the address does not say which."),
        tr("Enter the value, or give the address with it, such as {example}."),
    ),
    "document-values": (
        tr("The service needs values that its document does not give: {names}."),
        tr("Enter them."),
    ),
    "document-too-many": (
        tr("The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs."),
        tr("Choose a document with those for pets, categories, orders and stock alone."),
    ),
    "document-version": (
        tr("The OpenAPI document is of version {version}; the program reads OpenAPI 3.0 and 3.1, and Swagger 2.0."),
        tr("Ask the service’s provider for a newer one, or choose another document."),
    ),
    "profile-unusable": (
        tr("The profile cannot be followed: {where}: {why}."),
        tr("Change the line, or choose another profile. The manual says what one may say."),
    ),
    "profile-differs": (
        tr("The service’s own document differs from the profile that this connection follows: {differences}."),
        tr("The profile is followed. Ask the service’s provider which is right, and correct the profile if it is not."),
    ),
    "document-without-version": (
        tr("This is not an OpenAPI document: it does not say which version of OpenAPI it follows."),
        _ANOTHER,
    ),
    "document-unreadable": (
        tr("The OpenAPI document is neither JSON nor YAML ({why})."),
        tr("Check the document, or choose another one."),
    ),
    "document-too-much": (
        tr("The OpenAPI document is much larger than its file once expanded ({why}), so it was not read to the end."),
        _ANOTHER,
    ),
    "document-not-an-object": (tr("This is not an OpenAPI document."), _ANOTHER),
    "document-missing": (
        tr("The OpenAPI document cannot be read: {path}."),
        tr("Check its path or address, or leave it out."),
    ),
    "document-redirected": (
        tr("The OpenAPI document is not at {path}. That address redirects to {target}; the program does not follow."),
        tr("If that address is right, use it instead."),
    ),
    "document-too-large": (
        tr("The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}."),
        tr(
            "Save it as a file, keep only the parts about pets, categories, orders and stock, and choose that "
            "file as the connection’s document."
        ),
    ),
    "base-path": (
        tr("The service is not at {given}, but at {url}."),
        tr("Use {url}."),
    ),
    "operations-alike": ("", tr("If that is right, choose it in File > Operations.")),
    "operations-unnamed": ("", tr("If it is a pet shop, choose its operations in File > Operations.")),
    "records-unreadable": (
        "",
        tr(
            "The program needs an id in each record, and the field names of the specification. Ask the service’s "
            "provider for such an address, or choose another list in File > Operations."
        ),
    ),
    "lists-not-found": (
        tr("There is a document, but {url} has none of the paths that it names."),
        tr("Check the path of the address, or ask the service’s provider for the right one."),
    ),
}

_LIMITS: Texts = {
    "paused": (
        tr("The service asked to wait until {until}: {message}. Nothing is sent before."),
        tr("Wait, then check again."),
    ),
    "paused-long": (
        tr("The service asked to wait until {until}, which is unusually long: {message}. Nothing is sent before."),
        tr(
            "Ask the service’s provider. If it is a mistake, end the pause in the window: Shop > Resume now. A "
            "key that resumes too early may be banned."
        ),
    ),
    "spent": (
        tr("The requests that the key allows are used up until {until}. Nothing is sent before."),
        tr("Check again after that."),
    ),
    "limits-absent": (
        tr("The service does not say how many requests are left."),
        tr("Choose your plan in the connection’s settings. Until then the program sends one request at a time."),
    ),
    "limits-odd": (
        tr("The service states its limits in a form that cannot be used: {header}."),
        tr("Tell the service’s provider. The program still obeys every wait."),
    ),
    "clock-off": (
        tr("The service’s clock is {length} {way} this computer’s."),
        tr("Correct the clock that is wrong. Pauses are exact all the same."),
    ),
}

BAD: Texts = {**_ADDRESS, **_KEY, **_ANSWERS, **_OFFERS, **_LIMITS}
"""The problems. Certificate and proxy errors have sentences of their own."""

ALL_OF: Mapping[str, str] = {
    "pets": tr("anything about pets"),
    "categories": tr("anything about categories"),
    "orders": tr("anything about orders"),
    "inventory": tr("anything about the stock"),
}
"""The words for a missing resource, in a list."""

OPERATIONS: Mapping[Op, str] = {
    Op.PETS_LIST: tr("see all pets"),
    Op.PET_READ: tr("look up a pet"),
    Op.PET_CREATE: tr("new pets"),
    Op.PET_CHANGE: tr("change pets"),
    Op.PET_DELETE: tr("delete pets"),
    Op.CATEGORIES_LIST: tr("see all categories"),
    Op.CATEGORY_READ: tr("look up a category"),
    Op.CATEGORY_CREATE: tr("new categories"),
    Op.CATEGORY_CHANGE: tr("change categories"),
    Op.CATEGORY_DELETE: tr("delete categories"),
    Op.ORDERS_LIST: tr("see all orders"),
    Op.ORDER_READ: tr("look up an order"),
    Op.ORDER_CREATE: tr("new orders"),
    Op.ORDER_CHANGE: tr("change orders"),
    Op.ORDER_CANCEL: tr("cancel orders"),
    Op.INVENTORY_LIST: tr("see the stock"),
    Op.STOCK_READ: tr("look up a stock entry"),
    Op.STOCK_CHANGE: tr("change the stock"),
}
"""What each operation is for, as part of "Missing: ..."."""

AGAINST: Mapping[str, str] = {
    "answer-strange": tr("its answer does not look like {things}"),
    "answer-one": tr("it answers with one record, not with a list"),
    "answer-list": tr("it answers with a list, not with one record"),
    "server": tr("it is only at another server, {what}"),
    "answer-search": tr("it answers with a list, so it creates nothing"),
    "answer-other": tr("its answer looks like {things}"),
    "path-strange": tr("other answers at its path do not look like {things}"),
    "path-other": tr("other answers at its path look like {things}"),
    "alone": tr("nothing else in the document is about pets, their orders or their stock"),
    "fields-alone": tr("its fields look like {things}, its path does not"),
    "petless": tr("neither its records nor the rest of the document are about pets"),
    "rival": tr("the list may be {what} as well. Choose the list first: File > Operations, or `connect --profile`"),
    "apart": tr("it does not lie at the same path as {what}"),
    "demands": tr("it requires a value for “{what}”"),
    "demands-header": tr("it requires a value for the header “{what}”"),
    "placeholder": tr("it is not certain that “{what}” in its path is the record’s own id"),
    "body-media": tr("it takes {what}, and the program sends JSON"),
    "body-type": tr("it does not take a record"),
    "body-unknown": tr("it takes none of the fields that the program knows"),
}
"""What speaks against an endpoint (see `endpoint_classifier.Mismatch`), as part of a sentence."""
