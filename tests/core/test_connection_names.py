"""Names of connections as a server takes and compares them; each line was measured on 10.11.19."""

from __future__ import annotations

import pytest

from backend.core.connection_names import is_same_name, name_fault


@pytest.mark.parametrize(
    "name", ["", "dr_east-1", " a b ", "o'hare", 'a"b\\c', "Größe", "日本", "x" * 191, "日" * 63, "{{x}}", "--", "ALL"]
)
def test_name_fault__what_the_server_takes__none(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize("name", ["x" * 192, "日" * 64, "a\nb", "a\x00b", "\x7f", "\U0001f600", "\u0130stanbul"])
def test_name_fault__what_the_server_refuses_changes_or_loses__said(name: str) -> None:
    assert name_fault(name)


@pytest.mark.parametrize(("one", "other"), [("DR_East-1", "dr_east-1"), ("Ü", "ü"), ("Σ", "ς"), ("Ж", "ж"), ("", "")])
def test_is_same_name__case__ignored(one: str, other: str) -> None:
    assert is_same_name(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("é", "e"), ("ß", "ss"), ("x", "x "), ("\u017f", "s"), ("\u0131", "I"), ("a-b", "a_b"), ("a", "")],
)
def test_is_same_name__accents_and_blanks__count(one: str, other: str) -> None:
    assert not is_same_name(one, other)
