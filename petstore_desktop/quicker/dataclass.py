"""Makes data classes as `dataclasses.dataclass` does, in a tenth of the time, and copies of their objects.

The standard decorator compiles six functions for each class, which takes a millisecond on a slow computer, and a start
makes a hundred classes. Here it only collects the fields. All classes share the other functions, and a constructor is
compiled when the first object is made. The classes are data classes for `fields`, `replace` and type checkers alike.

`replace` is for objects of which many are made from the one before, as the gate's states are: the standard one looks at
each field anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, FrozenInstanceError, field, fields
from dataclasses import dataclass as standard
from dataclasses import replace as standard_replace
from functools import cached_property
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")
_put = object.__setattr__


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, frozen: bool = False, slots: bool = False, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]:
    """Decorate a class; the arguments are those of the standard decorator."""

    def make(plain: type[T]) -> type[T]:
        made: Any = standard(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(plain)
        _add(made, "__init__", _until_called(made, frozen))
        _add(made, "__repr__", _repr)
        if eq:
            _make_comparable(made, frozen)
        if frozen:
            _freeze(made)
            if slots:
                _add(made, "__getstate__", _state)
                _add(made, "__setstate__", _set_state)
        return made

    return make


def _add(made: type, name: str, function: object) -> None:
    """Give the class this method, unless it has one of its own."""
    if name not in vars(made):
        setattr(made, name, function)


# ---------------------------------------------------------------- what all classes share


@recursive_repr()
def _repr(self: Any) -> str:
    said = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({said})"


def _state(self: Any) -> list[object]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: Iterable[object]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        _put(self, one.name, value)


def _make_comparable(made: Any, frozen: bool) -> None:
    """Objects of the class are equal by their fields; with `frozen` they can be hashed too."""
    of_class = fields(made)
    values = _getter([one.name for one in of_class if one.compare])

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    own_hash = "__hash__" in vars(made) and made.__hash__ is not None  # beside __eq__ alone there is None
    _add(made, "__eq__", equal)
    if not own_hash:
        hashed = _getter([one.name for one in of_class if (one.compare if one.hash is None else one.hash)])
        made.__hash__ = _hash_of(hashed) if frozen else None


def _hash_of(values: Callable[[Any], tuple[object, ...]]) -> Callable[[object], int]:
    return lambda one: hash(values(one))


def _getter(names: Sequence[str]) -> Callable[[Any], tuple[object, ...]]:
    """What returns these fields of an object."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else (lambda _: ())


def _freeze(made: Any) -> None:
    names = frozenset(one.name for one in fields(made))

    def set_other(self: object, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def delete_other(self: object, name: str) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    made.__setattr__, made.__delattr__ = set_other, delete_other


# ---------------------------------------------------------------- the constructor


def _until_called(made: Any, frozen: bool) -> Callable[..., None]:
    """What stands for the constructor until the first call."""

    def construct(self: object, *args: object, **kwargs: object) -> None:
        if made.__init__ is construct:
            made.__init__ = _constructor(made, frozen)
        made.__init__(self, *args, **kwargs)

    return construct


def _constructor(made: Any, frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_dc_put": _put, "_dc_missing": MISSING}
    given: dict[bool, list[str]] = {False: [], True: []}
    body = list[str]()
    for one in fields(made):
        name, value = one.name, one.name
        if one.default is not MISSING:
            known[f"_dc_default_{name}"], default = one.default, f"=_dc_default_{name}"
        elif one.default_factory is not MISSING:
            known[f"_dc_make_{name}"], default = one.default_factory, "=_dc_missing"
            value = f"_dc_make_{name}() if {name} is _dc_missing else {name}" if one.init else f"_dc_make_{name}()"
        else:
            default = ""
        if one.init:
            given[bool(one.kw_only)].append(name + default)
        elif one.default is not MISSING:
            value = f"_dc_default_{name}"
        elif not default:
            continue
        body.append(f"_dc_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        body.append("self.__post_init__()")
    head = ", ".join(["self", *given[False], *(["*", *given[True]] if given[True] else [])])
    source = f"def __init__({head}):\n " + "\n ".join(body or ["pass"])
    exec(source, known)  # noqa: S102 -- as the standard library does it; the names are those of our fields
    construct = known["__init__"]
    construct.__qualname__ = f"{made.__qualname__}.__init__"
    return construct


# ---------------------------------------------------------------- copies

_plain: dict[type, frozenset[str] | None] = {}
"""The fields of each class whose objects are nothing but these, by name; None for other classes."""


def replace(one: T, /, **changes: Any) -> T:
    """As `dataclasses.replace`; where the class has no slots, in a fifth of the time."""
    kind = type(one)
    if kind not in _plain:
        _plain[kind] = _fields_alone(kind)
    names = _plain[kind]
    if names is None or not changes.keys() <= names:
        return standard_replace(cast("Any", one), **changes)
    new = object.__new__(kind)
    new.__dict__.update(one.__dict__)
    new.__dict__.update(changes)
    return new


def _fields_alone(kind: type) -> frozenset[str] | None:
    reckons = any(isinstance(part, cached_property) for base in kind.__mro__ for part in vars(base).values())
    begins = hasattr(kind, "__post_init__") or not all(one.init for one in fields(cast("Any", kind)))
    if reckons or begins or hasattr(kind, "__slots__"):
        return None
    return frozenset(one.name for one in fields(cast("Any", kind)))
