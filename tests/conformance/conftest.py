"""Labs whose channels notice a silent source soon: coordinates in one, GTIDs in the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from tests.gateway.lab import lab_of

SIZES = (3, 1)
SOON = {"slave_net_timeout": "4"}


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    """Three nodes at site a, so that one that hangs is expelled, and one at site b."""
    with lab_of(Settings(sizes=SIZES, overrides=SOON)) as made:
        yield made


@pytest.fixture(scope="module")
def gtid_lab() -> Iterator[Lab]:
    """The same with wsrep_gtid_mode."""
    with lab_of(Settings(variant="gtid", sizes=SIZES, overrides=SOON)) as made:
        yield made
