from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.model.row_store import Links
from petstore_desktop.domain.records import Key, LocalId

LOCAL = LocalId("x")
targets = st.sampled_from([1, 2, 3, LOCAL])


named = st.lists(targets | st.none(), max_size=6)


@given(named, st.lists(st.tuples(st.integers(0, 8), targets | st.none())), st.integers(0, 2), named)
def test_links_know_what_a_dictionary_of_sets_would_know(
    filled: list[Key | None], moves: list[tuple[int, Key | None]], gap: int, more: list[Key | None]
) -> None:
    links, plain = Links(), dict[int, Key]()
    links.fill(0, filled)
    plain.update({source: key for source, key in enumerate(filled) if key is not None})
    for source, key in moves:
        old = plain.pop(source, None)
        if key is not None:
            plain[source] = key
        assert set(links.move(source, key)) == ({old, key} - {None} if old != key else set())
    first = len(links.targets) + gap
    links.fill(first, more)
    plain.update({source: key for source, key in enumerate(more, first) if key is not None})
    assert links.sources_of({1, LOCAL, 9}) == {source for source, key in plain.items() if key in (1, LOCAL)}
    links.rename(LOCAL, 3)
    plain = {source: 3 if key == LOCAL else key for source, key in plain.items()}
    for target in (1, 2, 3, LOCAL):
        sources = {source for source, key in plain.items() if key == target}
        assert set(links.sources(target)) == sources
        assert links.count(target) == len(sources)
