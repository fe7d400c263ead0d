"""What is known of two releases, by their series."""

from __future__ import annotations

import pytest

from backend.core.dialects import DialectError, dialect_for, dialect_to_watch, plan_refusal
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.dialects.tested_versions import (
    BEYOND,
    DIFFERENCES,
    FIRST,
    TESTED,
    differences,
    hidden_settings,
    leaves_out_generated,
    series_of,
    shown,
)


def test_series__of_a_version__two_numbers() -> None:
    assert series_of("11.8.9-MariaDB-log") == (11, 8)
    assert shown((10, 11)) == "10.11"
    with pytest.raises(ValueError, match="not a version"):
        series_of("ten")


def test_differences__newer_source__what_came_between_the_two() -> None:
    assert len(differences((11, 8), (10, 5))) == len(DIFFERENCES)
    assert differences((11, 4), (10, 11)) == ()
    assert differences((10, 11), (11, 8)) == ()
    assert "UUID" in differences((10, 11), (10, 6))[0]


def test_tested__each_series__is_of_its_release_and_supported() -> None:
    for series, release in TESTED.items():
        assert series_of(release) == series
        assert FIRST <= series < BEYOND
        assert dialect_for("mariadb", release)


@pytest.mark.parametrize(("version", "does"), [("10.11.19", False), ("11.4.5", False), ("11.8.9", True), (None, False)])
def test_generated_columns__as_seen_on_each_release(version: str | None, *, does: bool) -> None:
    assert leaves_out_generated(version) is does


def test_hidden__before_the_release_that_tells__none_rather_than_unknown() -> None:
    rows = [{"Variable_name": "version", "Value": "10.5.23-MariaDB-0+deb11u1-log"}]
    assert MariadbDialect().parse_variables(rows)["replicate_rewrite_db"] == ""
    assert hidden_settings("10.11.19-MariaDB") == hidden_settings(None) == hidden_settings("ten") == ()


@pytest.mark.parametrize(
    ("flavor", "version"), [("mariadb", "10.4.34-MariaDB"), ("mysql", "5.7.44"), ("tidb", "8.0.11")]
)
def test_dialect__release_before_the_first__neither_watched_nor_planned(flavor: str, version: str) -> None:
    with pytest.raises(DialectError, match="is not supported"):
        dialect_to_watch(flavor, version)
    assert refused(flavor, version)


@pytest.mark.parametrize(
    ("flavor", "version", "why"),
    [
        ("mariadb", "12.3.1-MariaDB", "from 12.3 on"),
        ("mysql", "9.7.4-2", "without Galera"),
        ("pxc", "8.0.39-30.1", "never tried"),
    ],
)
def test_dialect__server_that_was_not_tried__watched_and_refused_with_the_reason(
    flavor: str, version: str, why: str
) -> None:
    assert dialect_to_watch(flavor, version).flavor == flavor
    assert why in (plan_refusal(flavor, version) or "")
    assert "watched only" in refused(flavor, version)


def refused(flavor: str, version: str) -> str:
    """The error of a dialect to make a plan in."""
    with pytest.raises(DialectError) as caught:
        dialect_for(flavor, version)
    return str(caught.value)
