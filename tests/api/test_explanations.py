"""Findings and problems are explained where they are met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from backend.common.problem_catalogue.catalogue import SUBJECTS as PROBLEMS
from backend.core.finding_catalogue.catalogue import SUBJECTS as FINDINGS
from tests.support.console import Caller


@pytest.mark.parametrize(("kind", "subjects"), [("findings", FINDINGS), ("problems", PROBLEMS)])
def test_explanation__a_code_of_each_subject__as_in_the_catalogue(
    viewer: Caller, kind: str, subjects: Mapping[str, Sequence[Any]]
) -> None:
    for entry in (entries[0] for entries in subjects.values()):
        answer = viewer.get(f"/explanations/{kind}/{entry.code}")
        assert answer.status == 200
        assert answer.body == {
            name: getattr(entry, name) for name in ("code", "title", "what_happened", "what_it_means", "what_to_do")
        }


@pytest.mark.parametrize("kind", ["findings", "problems"])
def test_explanation__no_such_code__not_found(viewer: Caller, kind: str) -> None:
    assert viewer.get(f"/explanations/{kind}/nothing_of_that").status == 404
