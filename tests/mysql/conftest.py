"""A real source and replica of MySQL; where the release cannot be fetched, the tests fail with that sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deploy.lab.mysql.pair import Pair, running_pair
from deploy.servers.errors import ServerError


@pytest.fixture(scope="session")
def pair() -> Iterator[Pair]:
    """Linked by GTID; a test that leaves traces in it removes them."""
    try:
        with running_pair() as made:
            yield made
    except ServerError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def pair_without_gtid() -> Iterator[Pair]:
    """Linked by file and position, each server ignoring its own id."""
    with running_pair(has_gtid=False) as made:
        yield made
