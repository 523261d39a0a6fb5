"""The shape of the package in counts, each with its bound: lines of code, files, class names, riddling docstrings.

A bound above the target is what the package has today: it may fall; what a feature adds is said where it is raised.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import house_imports

FOLDER_FILES = 13
SMALL_LINES = 40
ENTRIES = ("__init__.py", "__main__.py")
RIDDLE = re.compile(r"\s*(?:whoever|so (?:many|long|much)|what (?:is|was)|of which)\b", re.IGNORECASE)
"""How a docstring begins that is understood only by those who know the code."""
WINDOW, WINDOW_LINES = "MainWindow", 250
"""The class that every feature is tempted to grow; the bound is that of its file, whatever that is called."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most there may be: lines of code; files of SMALL_LINES or fewer that a single other file imports; class names
    that stand in more than one file; folders with more than FOLDER_FILES files; docstrings that begin as a RIDDLE."""

    lines: int
    small_files: int
    double_names: int
    crowded_folders: int
    riddles: int


BOUNDS = Bounds(lines=77_440, small_files=0, double_names=0, crowded_folders=0, riddles=0)
"""What is wanted: 49,000 lines, and none of the others."""


@dataclass(frozen=True, slots=True)
class File:
    """One module of the package."""

    path: PurePosixPath
    lines: int
    """Of code: without blank lines, comments and docstrings."""
    classes: tuple[str, ...]
    """Public ones at the top of the file."""
    imports: frozenset[str]
    riddles: tuple[int, ...]
    """The lines of docstrings that begin as a RIDDLE."""


def file(path: str, lines: Sequence[str], nodes: Iterable[ast.AST]) -> File:
    """Count one module."""
    nodes = tuple(nodes)
    said = [node for node in nodes if is_text(node)]
    texts = {number for node in said for number in range(node.lineno, (node.end_lineno or 0) + 1)}
    code = [line for number, line in enumerate(lines, 1) if number not in texts and line.strip()]
    top = nodes[0].body if nodes and isinstance(nodes[0], ast.Module) else []
    return File(
        PurePosixPath(path),
        sum(not line.lstrip().startswith("#") for line in code),
        tuple(node.name for node in top if isinstance(node, ast.ClassDef) and not node.name.startswith("_")),
        frozenset(name for _, name in house_imports.imports(nodes)),
        tuple(node.lineno for node in said if RIDDLE.match(node.value.value)),
    )


def is_text(node: ast.AST) -> bool:
    """Say whether it is a text that stands alone: a docstring, or one below a name."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def small_files(files: Sequence[File]) -> Iterator[str]:
    """Yield each small file that a single other one imports: it belongs into that."""
    importers: defaultdict[str, set[PurePosixPath]] = defaultdict(set)
    for one in files:
        for name in one.imports:
            importers[name].add(one.path)
            importers[name.rpartition(".")[0]].add(one.path)
    for one in files:
        name = ".".join(one.path.with_suffix("").parts)
        if one.path.name not in ENTRIES and one.lines <= SMALL_LINES and len(importers[name]) == 1:
            yield f"{one.path} ({one.lines} lines) into {next(iter(importers[name]))}"


def double_names(files: Iterable[File]) -> Iterator[str]:
    """Yield each class name that stands in more than one file: one name, one thing."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for one in files:
        for name in one.classes:
            places[name].append(str(one.path))
    yield from (f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1)


def crowded_folders(files: Iterable[File]) -> Iterator[str]:
    """Yield each folder with more files than a person sees at a glance."""
    counts = Counter(one.path.parent for one in files if one.path.name != "__init__.py")
    yield from (f"{folder}: {count} files" for folder, count in sorted(counts.items()) if count > FOLDER_FILES)


def figures(files: Sequence[File]) -> Iterator[str]:
    """Yield the lines of code: all, and of each folder of the package."""
    parts = Counter[str]()
    for one in files:
        parts[one.path.parts[1] if len(one.path.parts) > 2 else "top"] += one.lines
    yield f"{sum(parts.values()):,} lines of code ({BOUNDS.lines:,} at most)"
    yield ", ".join(f"{part} {count:,}" for part, count in parts.most_common())


def findings(files: Sequence[File], bounds: Bounds = BOUNDS) -> list[str]:
    """Return what is past its bound, with all that counts towards it."""
    counted = {
        "small files with a single importer": (list(small_files(files)), bounds.small_files),
        "class names that stand twice": (list(double_names(files)), bounds.double_names),
        "crowded folders": (list(crowded_folders(files)), bounds.crowded_folders),
        "docstrings that begin as a riddle": (
            [f"{one.path}:{line}" for one in files for line in one.riddles],
            bounds.riddles,
        ),
    }
    found = [
        "\n  ".join([f"{len(all_)} {what}, {most} at most:", *all_])
        for what, (all_, most) in counted.items()
        if len(all_) > most
    ]
    found += [
        f"{one.path}: {one.lines} lines of code, {WINDOW_LINES} at most"
        for one in files
        if WINDOW in one.classes and one.lines > WINDOW_LINES
    ]
    lines = sum(one.lines for one in files)
    return found + ([f"{lines:,} lines of code, {bounds.lines:,} at most"] if lines > bounds.lines else [])
