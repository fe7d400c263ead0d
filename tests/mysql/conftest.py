"""A real source and replica of MySQL; where the release cannot be fetched, the tests fail with that sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from deploy.lab.mysql import template
from deploy.lab.mysql.pair import Pair, running_pair
from deploy.servers.errors import ServerError


def _fetched_pair(*, has_gtid: bool) -> AbstractContextManager[Pair]:
    problem = ""
    try:
        template.ensure()
    except ServerError as error:
        problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    return running_pair(has_gtid=has_gtid)


@pytest.fixture(scope="session")
def pair() -> Iterator[Pair]:
    """Linked by GTID; a test that leaves traces in it removes them."""
    with _fetched_pair(has_gtid=True) as made:
        yield made


@pytest.fixture(scope="session")
def pair_without_gtid() -> Iterator[Pair]:
    """Linked by file and position, each server ignoring its own id."""
    with _fetched_pair(has_gtid=False) as made:
        yield made
