"""Findings and problems are explained where they are met."""

from __future__ import annotations

import pytest

from tests.support.console import Caller
from tests.support.reference_page import entries


@pytest.mark.parametrize("kind", ["findings", "problems"])
def test_explanation__a_code_of_each_subject__as_on_the_page(viewer: Caller, kind: str) -> None:
    for entry in {entry.subject: entry for entry in entries(f"{kind}.md")}.values():
        answer = viewer.get(f"/explanations/{kind}/{entry.codes[0]}")
        assert answer.status == 200
        assert answer.body == {
            "code": entry.codes[0],
            "title": entry.title,
            "what_happened": entry.line("**What happened**"),
            "what_it_means": entry.line("**What it means**"),
            "what_to_do": entry.line("**What to do**"),
        }


@pytest.mark.parametrize("kind", ["findings", "problems"])
def test_explanation__no_such_code__not_found(viewer: Caller, kind: str) -> None:
    assert viewer.get(f"/explanations/{kind}/nothing_of_that").status == 404
