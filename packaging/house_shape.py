"""The sizes of the package, to be read; and names that mean two things, which are found."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class File:
    """One module of the package."""

    path: PurePosixPath
    lines: int
    """Of code: without blank lines, comments and docstrings."""
    classes: tuple[str, ...]
    """Public ones at the top of the file."""


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
    )


def is_text(node: ast.AST) -> bool:
    """Say whether it is a text that stands alone: a docstring, or one below a name."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def double_names(files: Iterable[File]) -> Iterator[str]:
    """Yield each class name that stands in more than one file: one name, one thing."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for one in files:
        for name in one.classes:
            places[name].append(str(one.path))
    yield from (f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1)


def figures(files: Sequence[File]) -> Iterator[str]:
    """Yield the lines of code: all, and of each folder of the package."""
    parts = Counter[str]()
    for one in files:
        parts[one.path.parts[1] if len(one.path.parts) > 2 else "top"] += one.lines
    yield f"{len(files):,} files, {sum(parts.values()):,} lines of code"
    yield ", ".join(f"{part} {count:,}" for part, count in parts.most_common())


def findings(files: Sequence[File]) -> list[str]:
    """Return the class names that stand twice, with the files."""
    return [f"class names that stand twice: {one}" for one in double_names(files)]
