"""No locked Python package is affected by an advisory of the stored list."""

from __future__ import annotations

import json
from typing import Any

import pytest
from packaging.version import Version

from deploy.services.process import ROOT
from deploy.testrun.stored_advisories import FILE, LOCKS, affected, as_text, is_affected, known, locked

TWO_RANGES = {
    "versions": [],
    "ranges": [[{"introduced": "4.2"}, {"fixed": "4.2.15"}, {"introduced": "5.0"}, {"last_affected": "5.0.7"}]],
}


def test_locked_packages__against_the_stored_list__none_is_affected() -> None:
    pins = locked((ROOT / name).read_text() for name in LOCKS)
    assert len(pins) > 100
    assert affected(pins, known()) == []


def test_package__version_of_which_an_advisory_is_stored__named() -> None:
    found = affected({"django": "5.0.7", "cryptography": "41.0.0"}, known())
    assert "django 5.0.7: PYSEC-2024-70" in found
    assert "cryptography 41.0.0: PYSEC-2023-254" in found


@pytest.mark.parametrize(
    ("version", "expected"),
    [("4.1", False), ("4.2", True), ("4.2.14", True), ("4.2.15", False), ("5.0", True), ("5.0.7", True),
     ("5.0.8", False), ("5.0.8rc1", False), ("4.2.15rc1", True)],
)  # fmt: skip
def test_ranges__with_fixed_and_last_affected__hold_what_osv_says(version: str, expected: bool) -> None:
    assert is_affected(Version(version), TWO_RANGES) is expected


def test_versions__listed_without_a_range__are_affected() -> None:
    listed: dict[str, Any] = {"versions": ["1.2"], "ranges": []}
    assert is_affected(Version("1.2"), listed)
    assert not is_affected(Version("1.3"), listed)


def test_lock__names_in_any_spelling_and_with_extras__are_found() -> None:
    assert locked(["PyYAML==6.0.3 \\\n    --hash=x\ncelery[redis]==5.7.0 ; python_version > '3'\n"]) == {
        "pyyaml": "6.0.3",
        "celery": "5.7.0",
    }


def test_file__as_it_is_written__is_as_it_is_stored() -> None:
    assert as_text(json.loads(FILE.read_text())) == FILE.read_text()
