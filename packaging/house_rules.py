"""House rules that no linter brings: Qt types that lose data, whose job a library is.

    python packaging/house_rules.py [ROOT]

A rule is a function from one parsed file to its findings. A line is let off by a comment that names the rule and says
why: `# house: whole-table - read from a file`. Standard library only, so that it runs anywhere.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import house_imports
import house_shape

REASON_WORDS = 2
NOT_OURS = {".git", ".venv", "build", "dist", "node_modules", "__pycache__"}
PICTURES = "tour"  # what `dev.py run` writes at the top, where there is no screen
TEXTS = {
    ".py",
    ".pyi",
    ".md",
    ".toml",
    ".txt",
    ".yaml",
    ".yml",
    ".json",
    ".qss",
    ".svg",
    ".sh",
    ".cfg",
    ".ini",
    ".desktop",
}
MEMBERS = {
    "Resource": {"PETS", "CATEGORIES", "ORDERS", "INVENTORY"},
    "FieldKind": {"ID", "TEXT", "WORD", "NUMBER", "FLAG", "MOMENT"},
}
"""The enumerations of which a table has every member."""
THREAD_MODULES = (
    "petstore_desktop/threads.py",
    "petstore_desktop/off_loop.py",
    "petstore_desktop/session/keyring_process.py",  # a process of its own, which ends itself
    "petstore_desktop/demo/",  # knows nothing of ours
)
PLATFORM_MODULES = (
    "petstore_desktop/platform_support.py",
    "packaging/machine.py",
    "packaging/windows/gaps/sitecustomize.py",
)

Found = tuple[int, str]
"""(line, what is wrong)"""


@dataclass(frozen=True, slots=True)
class Source:
    """One text file of the checkout: its path from the root, with forward slashes, its lines, and every node of it,
    function bodies included; none where it is not Python."""

    path: str
    lines: list[str]
    nodes: tuple[ast.AST, ...] = ()
    broken: Found | None = None


def signal_types(source: Source) -> Iterator[Found]:
    """Signal(int) delivers 0 for 2**40 and Signal(dict) copies; a signal carries object."""
    for node in source.nodes:
        if isinstance(node, ast.Call) and name_of(node.func) == "Signal":
            for arg in node.args:
                kind = arg.value if isinstance(arg, ast.Constant) else name_of(arg)
                if kind in {"int", "dict", "list"}:
                    yield node.lineno, f"Signal({kind}) loses or copies data; use Signal(object)"


def number_widgets(source: Source) -> Iterator[Found]:
    """QSpinBox and QIntValidator hold 32 bits; ids and quantities have 64."""
    yield from names(source, {"QSpinBox", "QIntValidator"}, "holds 32 bits only; take a QLineEdit and parse an int64")


def screens(source: Source) -> Iterator[Found]:
    """PySide takes a screen for a child of the widget that was asked for it, and may destroy it with the widget."""
    for node in source.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "screen":
            yield node.lineno, "lets Python's garbage destroy the screen; take screen_at (ui/base/first_paint)"


def rich_text(source: Source) -> Iterator[Found]:
    """A name such as <b>bold</b> is shown as it is."""
    html = {"setHtml", "insertHtml", "appendHtml", "setMarkdown", "insertMarkdown", "QTextBrowser"}
    yield from names(
        source, html | {"RichText", "AutoText", "MarkdownText"}, "shows rich text; every text here is plain"
    )


def platform_only(source: Source) -> Iterator[Found]:
    """What one operating system lacks lives in one module."""
    if source.path in PLATFORM_MODULES:
        return
    special = {"SIGKILL", "fcntl", "msvcrt", "winreg", "geteuid", "sched_getaffinity", "getuid", "fork", "killpg"}
    yield from names(source, special, f"is not on every system; it belongs into {PLATFORM_MODULES[0]}")
    for node in source.nodes:
        if (
            isinstance(node, ast.Attribute)
            and node.attr in {"sep", "altsep", "pathsep"}
            and name_of(node.value) == "os"
        ):
            yield node.lineno, f"os.{node.attr} is path syntax; use pathlib"


def files(source: Source) -> Iterator[Found]:
    """What a path names may be a pipe, a device or a folder, or grow while it is read; `regular_files` opens files
    alone. The program's own resources are what they are; the demo shop and the tour read their own."""
    ours = source.path.startswith("petstore_desktop/") and not source.path.startswith(
        ("petstore_desktop/demo/", "petstore_desktop/tour/", "petstore_desktop/regular_files.py")
    )
    for node in source.nodes if ours else ():
        if isinstance(node, ast.Call) and opens_a_file(node) and "resources" not in names_in(node.func):
            yield node.lineno, "opens what may be no file; take petstore_desktop/regular_files, or write_whole"


HELD_CALLS = {"os": {"remove", "replace", "rename"}, "shutil": {"move", "rmtree"}}
"""Functions that fail while somebody reads a file; with a keyword they are told not to mind."""
HELD_WAYS = {"rename": 1, "replace": 1, "unlink": 0}
"""Ways of a path that do, each with how many arguments tell it from another's of that name."""


def held(source: Source) -> Iterator[Found]:
    """On Windows a file that somebody reads can be neither replaced nor moved nor removed at once; `held_files` waits.
    The demo shop and the tour have their files to themselves."""
    ours = source.path.startswith(f"{house_imports.PACKAGE}/") and not source.path.startswith(
        ("petstore_desktop/demo/", "petstore_desktop/tour/", "petstore_desktop/held_files.py")
    )
    for node in source.nodes if ours else ():
        if isinstance(node, ast.Call) and fails_while_read(node):
            yield node.lineno, "fails while somebody reads the file; take petstore_desktop/held_files"


def fails_while_read(call: ast.Call) -> bool:
    """Whether a call replaces, moves or removes a file, and minds where it cannot."""
    said, of = name_of(call.func), name_of(call.func.value) if isinstance(call.func, ast.Attribute) else None
    if said == "TemporaryDirectory":
        return all(one.arg != "ignore_cleanup_errors" for one in call.keywords)
    if of in HELD_CALLS:
        return said in HELD_CALLS[of] and not call.keywords
    return (
        isinstance(call.func, ast.Attribute)
        and len(call.args) == HELD_WAYS.get(said or "")
        and (said == "unlink" or not call.keywords)
    )


def opens_a_file(node: ast.Call) -> bool:
    """Whether this call opens a file by its name: with `open`, or with one of the ways of a path."""
    name = name_of(node.func)
    if name in {"read_bytes", "read_text", "write_bytes", "write_text"}:
        return True
    said = [one.value for one in node.args[:2] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    mode = any(re.fullmatch("[rwxa][bt+]*", one) for one in said)
    return name == "open" and (
        isinstance(node.func, ast.Name) or mode or bool({"encoding", "mode"} & {one.arg for one in node.keywords})
    )


def names_in(node: ast.AST) -> set[str]:
    """Every name in an expression."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def threads(source: Source) -> Iterator[Found]:
    """A thread that nobody waits for can end the program by a signal, and a task that nobody watches dies unseen."""
    if not source.path.startswith(f"{house_imports.PACKAGE}/") or source.path.startswith(THREAD_MODULES):
        return
    owners = {
        "Thread": "threads.begin",
        "Timer": "threads.begin",
        "QThread": "threads.begin",
        "ThreadPoolExecutor": "off_loop.off_loop",
        "to_thread": "off_loop.off_loop",
        "run_in_executor": "off_loop.off_loop",
        "create_task": "off_loop.beside, unless it is awaited",
        "ensure_future": "off_loop.beside, unless it is awaited",
        "register": "threads.run_to_end, which runs nothing of atexit",
    }
    calls = [node for node in source.nodes if isinstance(node, ast.Call)]
    for called, line in [(call.func, call.lineno) for call in calls]:
        name, whose = name_of(called) or "", name_of(getattr(called, "value", called))
        if name in owners and (name != "register" or whose == "atexit"):
            yield line, f"{name} is the job of {owners[name]}"
        elif (name, whose) == ("run", "asyncio"):
            yield line, "asyncio.run waits for silent servers of names; take off_loop.run_loop"


def garbage(source: Source) -> Iterator[Found]:
    """Garbage that is looked for in another thread than the window's destroys widgets there."""
    if not source.path.startswith(f"{house_imports.PACKAGE}/") or source.path.endswith("/garbage.py"):
        return
    for line, module in house_imports.imports(source.nodes):
        if module == "gc":
            yield line, "cyclic garbage is the job of garbage.collect_here"


def mocks(source: Source) -> Iterator[Found]:
    """Fake only the outermost seam; our own classes are never mocked."""
    for line, module in house_imports.imports(source.nodes):
        if module.split(".")[:2] == ["unittest", "mock"] or module.split(".")[0] == "mock":
            yield line, "no mocks: use the demo shop, httpx.MockTransport, an injected clock"


def skips(source: Source) -> Iterator[Found]:
    """What another system lacks is said with its reason, and counted, where Windows is played."""
    pattern = re.compile(r"skipif\(.*(?:sys\.platform|os\.name|hasattr\(os)")
    yield from matching(source, pattern, "take pytest.mark.posix, linux or wine (tests/support/elsewhere.py)")


def machine_paths(source: Source) -> Iterator[Found]:
    """A path of somebody's machine has no business here."""
    pattern = re.compile(r"(?<![\w.~}/:-])/(?:work|root|tmp|home|Users)/\w|[A-Z]:\\\\?Users\\")
    yield from matching(source, pattern, "a path of one machine")


def registry_hosts(source: Source) -> Iterator[Found]:
    """Packages come from whichever index pip is set up to use; none is named."""
    hosts = ("pypi" + ".org", "python" + "hosted.org", "npm" + "js.", "crates" + ".io", "ana" + "conda.org")
    yield from matching(source, re.compile("|".join(re.escape(host) for host in hosts)), "names a package registry")


def bare_suppressions(source: Source) -> Iterator[Found]:
    """A suppression carries its reason on the same line."""
    directive = re.compile(r"#\s*(?:noqa(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?|(?:type|pyright):\s*ignore(?:\[[^]]*\])?)")
    for number, line in enumerate(source.lines if source.nodes else (), 1):
        if (found := directive.search(line)) and len(directive.sub("", line[found.start() :]).split()) < REASON_WORDS:
            yield number, "a suppression without its reason beside it"


def whole_tables(source: Source) -> Iterator[Found]:
    """A table by resource, or by kind of field, has an entry for each; one without says why."""
    if not source.path.startswith(f"{house_imports.PACKAGE}/"):
        return
    said = dict(aliases(source))
    for node in source.nodes:
        keys = [said.get(name_of(key) or "", key) for key in node.keys if key] if isinstance(node, ast.Dict) else []
        members = {(name_of(key.value), key.attr) for key in keys if isinstance(key, ast.Attribute)}
        if len(keys) > 1 and len(members) == len(keys) == len(getattr(node, "keys", ())):
            for kind, names in MEMBERS.items():
                if {one for one, _ in members} == {kind} and (missing := sorted(names - {name for _, name in members})):
                    yield getattr(node, "lineno", 1), f"a table by {kind} without {', '.join(missing)}"


def aliases(source: Source) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that is given to an attribute, alone or side by side with others."""
    for node in source.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            names, values = (one.elts if isinstance(one, ast.Tuple) else [one] for one in (node.targets[0], node.value))
            for name, value in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and isinstance(value, ast.Attribute):
                    yield name.id, value


def import_rules(source: Source) -> Iterator[Found]:
    """Each library has its owner, and ui and demo know little."""
    yield from house_imports.findings(source.path, source.nodes)


def name_of(node: ast.AST) -> str | None:
    """Return the last part of a name or an attribute."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def names(source: Source, wanted: set[str], says: str) -> Iterator[Found]:
    """Yield each use of one of the names: as a name, an attribute or an import."""
    wanted = {name for name in wanted if any(name in line for line in source.lines)}
    for node in source.nodes if wanted else ():
        if isinstance(node, ast.alias):
            name = node.name.rpartition(".")[2]
        elif isinstance(node, ast.ImportFrom):
            name = node.module or ""
        else:
            name = name_of(node) or ""
        if name in wanted:
            yield getattr(node, "lineno", 1), f"{name} {says}"


def matching(source: Source, pattern: re.Pattern[str], says: str) -> Iterator[Found]:
    """Yield each line that the pattern is found in."""
    for number, line in enumerate(source.lines, 1):
        if found := pattern.search(line):
            yield number, f"{says}: {found[0]}"


RULES: dict[str, Callable[[Source], Iterator[Found]]] = {
    "signal-type": signal_types,
    "number-widget": number_widgets,
    "screen": screens,
    "rich-text": rich_text,
    "platform": platform_only,
    "file": files,
    "held": held,
    "thread": threads,
    "garbage": garbage,
    "mock": mocks,
    "skip": skips,
    "machine-path": machine_paths,
    "registry-host": registry_hosts,
    "suppression": bare_suppressions,
    "whole-table": whole_tables,
    "import": import_rules,
}


def sources(root: Path, below: str = "") -> Iterator[Source]:
    """Yield every text file of the checkout, or of a folder of it, parsed where it is Python."""
    for folder, folders, files in os.walk(root / below):
        folders[:] = sorted(name for name in folders if name not in NOT_OURS and not name.endswith("_cache"))
        if Path(folder) == Path(root) and PICTURES in folders:
            folders.remove(PICTURES)
        for file in sorted(Path(folder) / name for name in files):
            in_ci = file.parent.name == ".ci"
            if file.suffix in TEXTS or in_ci:
                text = file.read_text("utf-8")
                yield parsed(file.relative_to(root).as_posix(), text)


def parsed(path: str, text: str) -> Source:
    """Return the file with its nodes, or with what keeps it from having any."""
    lines = text.splitlines()
    if not path.endswith(".py"):
        return Source(path, lines)
    try:
        return Source(path, lines, tuple(ast.walk(ast.parse(text))))
    except SyntaxError as error:
        return Source(path, lines, broken=(error.lineno or 1, error.msg))


def findings(root: Path) -> list[str]:
    """Return one line, `path:line: rule: what is wrong`, for everything under `root` that breaks a rule."""
    found: list[str] = []
    for source in sources(root):
        if source.broken:
            found.append(f"{source.path}:{source.broken[0]}: syntax: {source.broken[1]}")
        for rule, check in RULES.items():
            let_off = re.compile(rf"# house: {rule} - \w+")
            for line, says in check(source):
                if not (line <= len(source.lines) and let_off.search(source.lines[line - 1])):
                    found.append(f"{source.path}:{line}: {rule}: {says}")
    return found


def package(root: Path) -> list[house_shape.File]:
    """Return every module of the package, counted."""
    ours = (one for one in sources(root, house_imports.PACKAGE) if one.nodes)
    return [house_shape.file(one.path, one.lines, one.nodes) for one in ours]


def main(argv: list[str]) -> int:
    """Print the findings, and the figures of the package's shape; 1 if there are any findings."""
    root = Path(argv[0] if argv else ".").resolve()
    files = package(root)
    found = [*findings(root), *house_shape.findings(files)]
    print("\n".join([*found, *house_shape.figures(files), f"{len(found)} findings"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
