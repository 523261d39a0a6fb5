"""Who may import what, beyond the layers that import-linter checks: as data, and as one function over a parsed file.

Imports inside functions and under TYPE_CHECKING count, and so does importlib.import_module("name").
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

PACKAGE = "petstore_desktop"

# Library -> the parts of the package whose job it is.
OWNERS: dict[str, tuple[str, ...]] = {
    "PySide6": ("ui", "shop.background", "app", "tour"),
    "shiboken6": ("ui", "shop.background", "app", "tour"),
    "httpx": ("api",),
    "pydantic": ("api.wire",),
    "keyring": ("session.keyring_process",),
    "jeepney": ("ui.base.system_motion",),
    "apsw": ("store", "demo"),
    "sqlite3": ("store", "demo"),
    "openpyxl": ("exchange",),
    "truststore": ("api",),
    "barcode": ("desk.labels",),
    "segno": ("desk.labels",),
    "starlette": ("demo",),
    "uvicorn": ("demo",),
    "requests": (),
    "urllib3": (),
    "http.client": (),
    # demo.witness asks the shop's control routes without the client that is being judged; api.http.proxies sends
    # nothing, but reads the system's proxy settings, which Python keeps there.
    "urllib.request": ("demo.witness", "api.http.proxies"),
}

# What a part may import of ours, directly; parts that are not named here answer to the layers alone.
MAY_KNOW: dict[str, tuple[str, ...]] = {
    "ui": (
        "ui",
        "shop",
        "desk",
        "contract",
        "domain",
        "preferences",
        "data_folder",
        "clock",
        "resources",
        "log",
        "platform_support",
        "garbage",
        "threads",
    ),
    "demo": ("demo",),
}

# A part of ours -> the only parts that may import it.
KNOWN_TO: dict[str, tuple[str, ...]] = {
    "demo": ("demo", "cli", "app", "commands", "tour"),  # app and rehearsal start it, the tour asks what happened
    "tour": ("tour", "cli"),
}


def findings(path: str, nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for one file of the package; `path` is relative to the checkout."""
    if not path.startswith(f"{PACKAGE}/"):
        return
    module = path.removeprefix(f"{PACKAGE}/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for line, name in imports(nodes):
        part = name.removeprefix(f"{PACKAGE}.")
        if name.startswith(f"{PACKAGE}."):
            yield from of_ours(line, module, part)
        else:
            yield from of_others(line, module, name)


def of_ours(line: int, module: str, part: str) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with `module` importing `part` of the package."""
    here, there = module.partition(".")[0], part.partition(".")[0]
    if here in MAY_KNOW and there not in MAY_KNOW[here]:
        yield line, f"{here} must not know {there}; have it handed in"
    if there in KNOWN_TO and here not in KNOWN_TO[there]:
        yield line, f"only {', '.join(KNOWN_TO[there])} may know {there}, not {here}"


def of_others(line: int, module: str, name: str) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with `module` importing the library `name`."""
    for library, owners in OWNERS.items():
        if within(name, library) and not any(within(module, owner) for owner in owners):
            yield line, f"{library} is the job of {', '.join(owners) or 'nobody here'}, not of {module}"


def within(name: str, package: str) -> bool:
    """Say whether the dotted name is the package or lies in it."""
    return name == package or name.startswith(f"{package}.")


def imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of everything the file imports; `from a import b` gives a.b."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if called in ("import_module", "__import__") and node.args and isinstance(node.args[0], ast.Constant):
                yield node.lineno, str(node.args[0].value)
