"""A class of ours made by the quick decorator is what the standard one makes of it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from functools import cached_property
from typing import Any, ClassVar

import pytest

from petstore_desktop.quicker.dataclass import dataclass as quick
from petstore_desktop.quicker.dataclass import replace as quick_replace

Maker = Callable[..., Any]
BOTH = pytest.mark.parametrize("make", [dataclasses.dataclass, quick], ids=["standard", "quick"])


@quick(frozen=True, slots=True)
class Kept:
    """Can be found by its name, as pickle wants it."""

    number: int
    words: list[str] = field(default_factory=list)


def pair(make: Maker, **options: bool) -> Any:
    @make(**options)
    class Pair:
        """Two fields, one with a default."""

        put: int
        missing: str = "none"

    return Pair


@BOTH
def test_fields_are_given_by_place_or_name_and_have_defaults(make: Maker) -> None:
    pair_class = pair(make, frozen=True, slots=True)
    assert repr(pair_class(1)).endswith("Pair(put=1, missing='none')")
    assert pair_class(put=1, missing="a") == pair_class(1, "a") != pair_class(1)
    for wrong in ({}, {"put": 1, "other": 2}):
        with pytest.raises(TypeError, match="__init__"):
            pair_class(**wrong)


@BOTH
def test_a_frozen_object_lets_nothing_be_set_and_can_be_hashed(make: Maker) -> None:
    one = pair(make, frozen=True, slots=True)(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'put'"):
        one.put = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'put'"):
        del one.put
    assert hash(one) == hash((1, "none"))
    assert dataclasses.replace(one, put=2) == type(one)(2)
    assert copy.deepcopy(one) == one


@BOTH
def test_an_object_that_can_change_cannot_be_hashed(make: Maker) -> None:
    one = pair(make, slots=True)(1)
    one.put = 2
    assert one == type(one)(2)
    with pytest.raises(AttributeError):
        one.other = 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@BOTH
def test_without_eq_each_object_is_its_own(make: Maker) -> None:
    pair_class = pair(make, frozen=True, slots=True, eq=False)
    assert pair_class(1) != pair_class(1)
    assert len({pair_class(1), pair_class(1)}) == 2


@BOTH
def test_kinds_of_fields_are_told_apart(make: Maker) -> None:
    @make(slots=True)
    class Every:
        """A field of each kind."""

        shared: ClassVar[int] = 7
        first: int
        kept: list[int] = field(default_factory=list)
        hidden: int = field(default=3, repr=False, compare=False)
        made: list[int] = field(default_factory=list, init=False)
        late: int = field(init=False)
        named: int = field(default=5, kw_only=True)

        def __post_init__(self) -> None:
            self.late = self.first + 1

    one, other = Every(1), Every(1, hidden=4, named=5)
    assert one == other
    assert one.kept is not other.kept
    assert (one.made, one.late, one.hidden, other.hidden, Every.shared) == ([], 2, 3, 4, 7)
    assert repr(one).endswith("Every(first=1, kept=[], made=[], late=2, named=5)")
    assert [item.name for item in dataclasses.fields(one)] == ["first", "kept", "hidden", "made", "late", "named"]
    match one:
        case Every(first, kept):
            assert (first, kept) == (1, [])


@BOTH
def test_all_fields_may_be_given_by_name_alone(make: Maker) -> None:
    pair_class = pair(make, frozen=True, kw_only=True)
    assert pair_class(put=1).put == 1
    with pytest.raises(TypeError):
        pair_class(1)


@BOTH
def test_what_a_class_says_itself_stays(make: Maker) -> None:
    @make(frozen=True, slots=True)
    class Own:
        """Has its own of what can be made."""

        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.name.lower() == other.name.lower()

        def __hash__(self) -> int:
            return hash(self.name.lower())

        def __repr__(self) -> str:
            return self.name

    assert (Own("A"), repr(Own("A")), len({Own("A"), Own("a")})) == (Own("a"), "A", 1)


@BOTH
def test_a_class_inherits_fields_and_compares_with_its_own_kind(make: Maker) -> None:
    @make(frozen=True, slots=True)
    class Base:
        """What the other is made from."""

        put: int

    @make(frozen=True, slots=True)
    class More(Base):
        """One field more."""

        more: int = 2

    @make(frozen=True, slots=True)
    class Nothing:
        """No field at all."""

    assert More(1) == More(1, 2) != Base(1)
    assert hash(Base(1)) == hash((1,))
    assert (Nothing(), hash(Nothing()), repr(Nothing()).endswith("Nothing()")) == (Nothing(), hash(()), True)
    with pytest.raises(FrozenInstanceError):
        More(1).put = 2


@BOTH
def test_one_that_holds_itself_can_be_shown(make: Maker) -> None:
    one = pair(make, slots=True)(1)
    one.put = one
    assert repr(one).endswith("Pair(put=..., missing='none')")


def test_an_object_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, ["a"]))) == Kept(1, ["a"])  # noqa: S301 -- its own


def test_threads_may_make_the_first_objects_at_once() -> None:
    for _ in range(50):
        pair_class, made, gate = pair(quick, frozen=True, slots=True), list[Any](), threading.Barrier(4)

        def make(pair_class: Any = pair_class, made: list[Any] = made, gate: threading.Barrier = gate) -> None:
            gate.wait()
            made.append(pair_class(1))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [pair_class(1)] * 4


def test_an_error_of_the_first_call_leaves_the_next_one_as_it_should_be() -> None:
    pair_class = pair(quick, frozen=True, slots=True)
    with pytest.raises(TypeError, match="put"):
        pair_class()
    assert pair_class(1).put == 1


# ---------------------------------------------------------------- copies

REPLACE = pytest.mark.parametrize("replace", [dataclasses.replace, quick_replace], ids=["standard", "quick"])
KINDS = pytest.mark.parametrize("slots", [False, True])


@BOTH
@REPLACE
@KINDS
@pytest.mark.parametrize("frozen", [False, True])
def test_a_copy_has_what_is_given_and_else_what_the_first_one_has(
    make: Maker, replace: Maker, slots: bool, frozen: bool
) -> None:
    one = pair(make, frozen=frozen, slots=slots)(1, "a")
    for changes in ({}, {"put": 2}, {"missing": "b"}, {"put": 3, "missing": "c"}):
        copied = replace(one, **changes)
        assert type(copied) is type(one)
        assert (copied.put, copied.missing) == (changes.get("put", 1), changes.get("missing", "a"))
    assert (one.put, one.missing) == (1, "a")
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        replace(one, other=1)


@BOTH
@REPLACE
@KINDS
def test_a_copy_begins_as_every_object_of_its_class_does(make: Maker, replace: Maker, slots: bool) -> None:
    @make(frozen=True, slots=slots)
    class Sum:
        one: int
        two: int
        both: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "both", self.one + self.two)

    assert replace(Sum(1, 2), two=5).both == 6
    with pytest.raises((TypeError, ValueError), match="both"):
        replace(Sum(1, 2), both=5)


@BOTH
@REPLACE
def test_a_copy_reckons_anew(make: Maker, replace: Maker) -> None:
    @make(frozen=True)
    class Doubled:
        one: int

        @cached_property
        def twice(self) -> int:
            return 2 * self.one

    first = Doubled(1)
    assert (first.twice, replace(first, one=2).twice) == (2, 4)


@REPLACE
def test_a_class_of_a_class_is_copied_whole(replace: Maker) -> None:
    @quick(frozen=True)
    class Longer(Kept):
        more: str = ""

    copied = replace(Longer(1, ["a"], "b"), number=2)
    assert (copied.number, copied.words, copied.more) == (2, ["a"], "b")
    with pytest.raises(TypeError):
        replace("no data class", number=1)
