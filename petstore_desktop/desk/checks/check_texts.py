"""The texts of `check_words`, as data: by the code of what was found, what happened and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.contract.operations import Op


def tr(text: str) -> str:
    """Marks a text for the translators; who says it has it translated."""
    return text


Texts = Mapping[str, tuple[str, str]]

GOOD: Texts = {
    "address": (tr("{url} answers."), ""),
    "address-empty": (tr("Something answers at {url}, but nothing shows that it is the service."), ""),
    "address-untried": (tr("{url} itself was not reached."), ""),
    "not-reached": (tr("Not checked: something else is in the way."), ""),
    "proxy-passes": (tr("Requests go through {proxy}, which learns where they go, but neither key nor content."), ""),
    "tls": (tr("This computer trusts the certificate."), ""),
    "tls-by-file": (tr("The certificate is trusted, by this computer or by {file}."), ""),
    "tls-not-needed": (tr("None is needed: the service runs on this computer."), ""),
    "key-accepted": (tr("The service takes the key."), ""),
    "key-not-needed": (tr("The service answers without a key."), ""),
    "key-untried": (tr("Not tried: there is nothing that could be read with it."), ""),
    "published": (tr("The service publishes its OpenAPI document: {named}."), ""),
    "chosen": (tr("The OpenAPI document that was chosen: {named}."), ""),
    "default": (
        tr("The service publishes none. It answers at the standard paths, so the nine standard operations are used."),
        "",
    ),
    "default-unread": (
        tr(
            "Its own document cannot be had. It answers at the standard paths, so the nine standard operations are "
            "used."
        ),
        "",
    ),
    "limits": (tr("It says how many requests are left: {remaining} of {limit}."), ""),
    "limits-left": (tr("It says how many requests are left: {remaining}, but not of how many."), ""),
    "limits-by-plan": (tr("It does not say its limits; the program counts by the plan that you gave."), ""),
    "clock": (tr("The service’s clock and this computer’s agree."), ""),
    "clock-unknown": (tr("The service does not say what time it has."), ""),
}
"""What is well, or was not reached."""

_ADDRESS: Texts = {
    "address-unusable": (
        tr("This is no address of a service; nothing was sent."),
        tr("Give the base address of its API, such as https://shop.example/v1."),
    ),
    "address-insecure": (
        tr("Plain http to {host} would show the key to everybody on the way; nothing was sent."),
        tr("Use an address that begins with https://. Only on this computer itself http will do."),
    ),
    "address-with-credentials": (
        tr("The address holds a user name or a password; nothing was sent."),
        tr("Take them out of the address, and give them as the key."),
    ),
    "name": (
        tr("There is no computer called {host}; nothing was sent."),
        tr("Look for a typing error in the address. If other addresses fail too, this computer has no network."),
    ),
    "refused": (
        tr("Nothing listens at {host}; nothing was sent."),
        tr("The service may be down: try again later. Or its address has another port."),
    ),
    "timeout": (
        tr("{host} does not take a connection: nobody answered in time. Nothing was sent."),
        tr("Check the address and the network; a firewall may stand in between."),
    ),
    "network": (
        tr("There is no way from this computer to {host}; nothing was sent."),
        tr("Check the network."),
    ),
    "protocol": (
        tr("What listens at {host} does not speak as a web service does."),
        tr("Check the port in the address."),
    ),
    "stopped": (tr("The check was stopped."), ""),
}

_KEY: Texts = {
    "key-rejected": (
        tr("The service does not accept the key: {message}."),
        tr(
            "Was it copied whole? Otherwise ask for another one. If the service wants its key in an unusual place, "
            "give its OpenAPI document."
        ),
    ),
    "key-wanted": (tr("The service wants a key."), tr("Enter the key.")),
    "no-key": (
        tr("There is no key for this connection, so nothing else was asked."),
        tr("Enter it in the window (File, Change key), or give it with `petstore-desktop connect --key-stdin`."),
    ),
    "key-unusable": (
        tr("The key holds signs that no request can carry; nothing was sent."),
        tr("Copy it anew, without spaces and line breaks."),
    ),
    "forbidden": (
        tr("The service does not let this key read anything: {message}."),
        tr("Ask whoever runs the service to give the key the right to read, or use another key."),
    ),
    "banned": (
        tr("The service has banned this key until {until}: {message}. Nothing is sent before."),
        tr("Wait: it ends by itself. Look whether some other program goes on sending with this key."),
    ),
    "keyring-absent": (
        tr("This computer has no keyring that keeps secrets, so there is no key; nothing was sent."),
        tr("Set one up, or give the key in the variable PETSTORE_API_KEY."),
    ),
    "keyring-locked": (
        tr("The keyring is locked, so there is no key; nothing was sent."),
        tr("Unlock the keyring, then check again."),
    ),
    "keyring-silent": (
        tr("The keyring did not answer within five seconds, so there is no key; nothing was sent."),
        tr("See whether it waits for a password in another window, then check again."),
    ),
}

_ANSWERS: Texts = {
    "slow": (
        tr("The service took the question, but did not answer in time."),
        tr("It is overloaded or stuck: try again later, or ask whoever runs it."),
    ),
    "broken": (
        tr("The connection broke before the answer came."),
        tr("Try again. If it stays so, check the network, and whether this is the address of a web service."),
    ),
    "html": (
        tr("A web page answered, where data were expected."),
        tr(
            "Is this the address of pages for people? Ask for the address of the API. Or the network first wants you "
            "to sign in: open the address in a browser."
        ),
    ),
    "redirected": (
        tr("The service is not here: it points to {target}. That was not followed, so that the key goes nowhere else."),
        tr("If you know that address to be the right one, enter it."),
    ),
    "redirect-circle": (
        tr("It sends every request round in a circle: from {target} back to the same address."),
        tr("Ask whoever runs the service, or check the address, its path too."),
    ),
    "redirect-nowhere": (
        tr("The service is not here: it sends requests on, but does not say where to."),
        tr("Ask whoever runs the service for its new address, or check this one, its path too."),
    ),
    "question-refused": (
        tr("The service refuses the question (status {status}): {message}."),
        tr("Check the address, its path too, or ask whoever runs the service."),
    ),
    "not-json": (
        tr("What answered is not JSON, but {content_type}."),
        tr("Check the address, its path too."),
    ),
    "not-a-list": (
        tr("Something answers, but not with a list as a pet shop has it."),
        tr("Check the address, its path too: this may be another service."),
    ),
    "empty": (
        tr("The service answered with nothing where data were expected."),
        tr("Check the address, its path too, or ask whoever runs the service."),
    ),
    "service-failed": (
        tr("The service failed by itself (status {status}): {message}."),
        tr("Try again later; if it stays so, tell whoever runs it."),
    ),
}

_OFFERS: Texts = {
    "no-document": (
        tr("Something answers at {url}, but it has no OpenAPI document there and none of the standard operations."),
        tr(
            "Check the address, its path too (it often ends in /v1). If the service has other paths, give its document."
        ),
    ),
    "document-empty": (
        tr("The OpenAPI document describes another service: {titled}. Nothing in it is what a pet shop needs."),
        tr("Check the address, or choose another document."),
    ),
    "document-place": (
        tr("The service keeps its records below {scope}, and the address does not say which."),
        tr("Give the address with it, such as {example}."),
    ),
    "document-too-many": (
        tr("The OpenAPI document has more than {most} operations, and the first ones are not what a pet shop needs."),
        tr("Choose a document with those for pets, categories, orders and stock alone."),
    ),
    "document-version": (
        tr("The OpenAPI document is of version {version}; the program reads 3.0 and 3.1."),
        tr("Ask whoever runs the service for a newer one, or choose another document."),
    ),
    "document-unreadable": (
        tr("The OpenAPI document is neither JSON nor YAML ({why})."),
        tr("Check the document, or choose another one."),
    ),
    "document-too-much": (
        tr("The OpenAPI document means far more than it holds ({why}), and was not read to its end."),
        tr("Nothing was changed. Choose another document."),
    ),
    "document-not-an-object": (
        tr("What was given as OpenAPI document is none."),
        tr("Choose another document."),
    ),
    "document-missing": (
        tr("The OpenAPI document cannot be read: {path}."),
        tr("Check its path or address, or leave it out."),
    ),
    "document-redirected": (
        tr("The OpenAPI document is not at {path}; from there one is sent to {target}, which was not followed."),
        tr("If you know that address to be the right one, give it instead."),
    ),
    "document-too-large": (
        tr("The OpenAPI document is larger than {megabytes} MB, so it was not read: {path}."),
        tr(
            "Save it as a file, keep only what is about pets, categories, orders and stock, and choose that file as "
            "the document of the connection."
        ),
    ),
    "base-path": (
        tr("The service is not at {given}, but at {url}."),
        tr("Use {url}."),
    ),
    "operations-alike": ("", tr("If it is what it looks like, choose it in File > Operations.")),
    "operations-unnamed": ("", tr("If it is a pet shop, choose in File > Operations what is what.")),
    "records-unreadable": (
        "",
        tr(
            "The program needs whole numbers as ids, and the fields as the specification names them. Ask whoever runs "
            "the service for such an address, or choose another list in File > Operations."
        ),
    ),
    "lists-not-found": (
        tr("The document is there, but nothing of what it names is found at {url}."),
        tr("Check the path of the address, or ask whoever runs the service where it is now."),
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
            "Ask whoever runs the service. If it is a mistake, end the pause in the window: Shop > Resume now. "
            "It asks first, for who goes on too early may be banned."
        ),
    ),
    "spent": (
        tr("The requests that the key allows are used up until {until}. Nothing is sent before."),
        tr("Check again then."),
    ),
    "limits-absent": (
        tr("The service does not say how many requests are left."),
        tr("Choose your plan in the connection’s settings; until then one request is sent after the other."),
    ),
    "limits-odd": (
        tr("What the service says of its limits makes no sense: {header}."),
        tr("Tell whoever runs it. Every wait that it asks for is obeyed all the same."),
    ),
    "clock-off": (
        tr("The service’s clock is {length} {way} this computer’s."),
        tr("Set the clock that is wrong. Pauses last as long as they should all the same."),
    ),
}

BAD: Texts = {**_ADDRESS, **_KEY, **_ANSWERS, **_OFFERS, **_LIMITS}
"""What is wrong. Of certificates and proxies the errors themselves say enough."""

ALL_OF: Mapping[str, str] = {
    "pets": tr("anything about pets"),
    "categories": tr("anything about categories"),
    "orders": tr("anything about orders"),
    "inventory": tr("anything about the stock"),
}
"""A resource of which nothing is there, in such a list."""

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
"""What each operation is for, as part of "Not there: ..."."""
