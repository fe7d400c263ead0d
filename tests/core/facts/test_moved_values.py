"""What moved since facts were stored whole, and the facts put together again."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backend.core.facts.moved_values import moved_values, with_moved

LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b"])
PLAIN = st.recursive(
    LEAVES,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from(["x", "y/z", "1"]), parts, max_size=3),
    max_leaves=8,
)
FACTS = st.fixed_dictionaries({"variables": PLAIN, "channels": PLAIN, "error": PLAIN})


@given(FACTS, FACTS)
def test_moved__of_any_two_facts__put_together_as_stored_they_are_the_newer(
    before: dict[str, Any], now: dict[str, Any]
) -> None:
    text_before = json.dumps(before)
    moved = json.loads(json.dumps(list(moved_values(before, now))))
    assert with_moved(before, moved) == now
    assert json.dumps(before) == text_before


def test_moved__one_position_of_many_values__that_alone() -> None:
    before = {"channels": ({"exec_offset": 4, "name": ""},), "variables": {"version": "10.11"}}
    now = {"channels": ({"exec_offset": 9, "name": ""},), "variables": {"version": "10.11"}}
    assert list(moved_values(before, now)) == [(("channels", 0, "exec_offset"), 9)]


def test_moved__nothing__nothing() -> None:
    assert list(moved_values({"a": [1, {"b": None}]}, {"a": (1, {"b": None})})) == []
