"""The catalogue of advice, and its page."""

from __future__ import annotations

from backend.core.adviser.advice.registry import SUBJECTS
from tests.core.advice_page import PAGE, written
from tests.support.catalogue_page import assert_complete

ENTRIES = [entry for entries in SUBJECTS.values() for entry in entries]


def test_catalogue__entries__are_complete_and_say_what_was_measured() -> None:
    assert_complete(ENTRIES)
    for entry in ENTRIES:
        assert entry.is_measured == entry.evidence.startswith("Measured"), entry.code
        assert entry.is_measured or "not measured here" in entry.evidence, entry.code


def test_page__is_written_from_the_catalogue() -> None:
    assert PAGE.read_text(encoding="utf-8") == written()
