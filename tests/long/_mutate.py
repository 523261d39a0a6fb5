"""Mutants of a module: each is its source with one small thing changed, as a careless hand might change it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Change: TypeAlias = tuple[str, Callable[[], None]]
"""What is changed (`@` and a line, where it is not the node's own), and what changes it in the node's tree."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: where it is, and what it is. `changed` makes it."""

    line: int
    text: str
    """The line as it stands in the original."""
    function: str
    """The function or class of the module in which it is; empty outside."""
    what: str
    node: int
    number: int
    """Which of the nodes it changes, and which of the changes of that node it is."""


COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines. Raises SyntaxError."""
    tree = ast.parse(source)
    lines = source.splitlines()
    found: list[Mutant] = []
    for index, node in enumerate(_nodes(tree)):
        for number, (change, _) in enumerate(_changes(node)):
            what, _, dropped = change.partition("@")
            line = int(dropped or getattr(node, "lineno", 0))
            found.append(Mutant(line, lines[line - 1].strip(), _function(tree, line), what, index, number))
    return sorted(found, key=lambda mutant: mutant.line)


def changed(source: str, mutant: Mutant) -> str:
    """The source with the change of one of its mutants."""
    tree = ast.parse(source)
    _, change = _changes(_nodes(tree)[mutant.node])[mutant.number]
    change()
    return ast.unparse(ast.fix_missing_locations(tree))


def _function(tree: ast.Module, line: int) -> str:
    named = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef))
    return next((node.name for node in named if node.lineno <= line <= (node.end_lineno or 0)), "")


def _nodes(tree: ast.Module) -> list[ast.AST]:
    """What runs: no annotations, decorators, docstrings, imports, names of types."""
    return [node for child in tree.body for node in _running(child)]


def _running(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node) or _names_a_type(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        children = value if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, ast.AST):
                yield from _running(child)


def _is_text(node: ast.AST) -> bool:
    """A docstring, or a text that stands alone to say what is above it; what makes up an f-string is one too."""
    alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return alone or isinstance(node, ast.JoinedStr)


def _names_a_type(node: ast.AST) -> bool:
    """An alias, or a cast, which does nothing when it runs."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Name):
        return node.annotation.id == "TypeAlias"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast"


def _changes(node: ast.AST) -> list[Change]:
    match node:
        case ast.Compare():
            return list(_comparisons(node))
        case ast.BoolOp():
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            return [(f"{_name(node.op)} -> {other.__name__}", lambda: setattr(node, "op", other()))]
        case ast.BinOp():
            return list(_arithmetic(node))
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return [(f"without {_name(node.op)}", lambda: _undo(node))]
        case ast.Constant():
            return list(_constants(node))
        case ast.Call():
            return list(_calls(node))
        case _:
            return [*_statements(node), *_conditions(node)]


def _name(node: ast.AST) -> str:
    return type(node).__name__


def _comparisons(node: ast.Compare) -> Iterator[Change]:
    for index, op in enumerate(node.ops):
        for other in COMPARISONS.get(type(op), ()):
            yield f"{_name(op)} -> {other.__name__}", _setting(node.ops, index, other())


def _arithmetic(node: ast.BinOp) -> Iterator[Change]:
    other = ARITHMETIC.get(type(node.op))
    if other is not None:
        yield f"{_name(node.op)} -> {other.__name__}", lambda: setattr(node, "op", other())


def _constants(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} -> {not value}", lambda: setattr(node, "value", not value)
    elif isinstance(value, int | float):
        yield f"{value} -> {value + 1}", lambda: setattr(node, "value", value + 1)
        if value not in (0, 1):
            yield f"{value} -> {value / 2}", lambda: setattr(node, "value", value / 2)
    elif isinstance(value, str):
        yield f"{value!r} -> {value + 'x'!r}", lambda: setattr(node, "value", value + "x")


def _calls(node: ast.Call) -> Iterator[Change]:
    name = node.func
    if not isinstance(name, ast.Name):
        return
    if name.id in SWAPPED:
        yield f"{name.id} -> {SWAPPED[name.id]}", lambda: setattr(name, "id", SWAPPED[name.id])
    if name.id == "replace" and len(node.keywords) > 1:
        for keyword in node.keywords:
            yield f"replace without {keyword.arg}", _removing(node.keywords, keyword)


def _statements(node: ast.AST) -> Iterator[Change]:
    """Drop a statement that another could stand for: a call, a second assignment, a return's value, a continue."""
    for name in ("body", "orelse"):
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        known = _parameters(node)
        for index, statement in enumerate(block):
            if _can_go(statement, known):
                yield f"without the line@{statement.lineno}", _setting(block, index, ast.Pass())
            known |= _assigned(statement)
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "return None", lambda: setattr(node, "value", ast.Constant(None))


def _can_go(statement: ast.AST, known: set[str]) -> bool:
    if isinstance(statement, ast.Expr):
        return not _is_text(statement) and not _is_nothing(statement.value)
    if isinstance(statement, ast.Assign):
        return _assigned(statement) <= known
    return isinstance(statement, ast.Continue | ast.AugAssign)


def _parameters(node: ast.AST) -> set[str]:
    return {arg.arg for arg in node.args.args} if isinstance(node, ast.FunctionDef) else set()


def _assigned(statement: ast.AST) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _conditions(node: ast.AST) -> Iterator[Change]:
    """Turn a condition round that is no comparison, which has mutants of its own."""
    if isinstance(node, ast.If | ast.IfExp | ast.While) and isinstance(node.test, ast.Name | ast.Call | ast.Attribute):
        yield "not the condition", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))


def _is_nothing(node: ast.AST) -> bool:
    """The `...` that stands where a protocol says no more."""
    return isinstance(node, ast.Constant) and node.value is ...


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _setting(items: list[ast.AST], index: int, value: ast.AST) -> Callable[[], None]:
    return lambda: items.__setitem__(index, value)


def _removing(items: list[ast.keyword], item: ast.keyword) -> Callable[[], None]:
    return lambda: items.remove(item)


def _undo(node: ast.UnaryOp) -> None:
    """`-x` to `+x`, `not x` to `not not x`."""
    if isinstance(node.op, ast.USub):
        node.op = ast.UAdd()
    else:
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
