"""Suite of the REST contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fixtures import (
    admin,
    approver,
    as_role,
    emptied,
    link,
    nothing_kept,
    operator,
    plan,
    signed_in,
    viewer,
)
from tests.support.webhook_receiver import receiver

__all__ = [
    "admin",
    "approver",
    "as_role",
    "emptied",
    "link",
    "nothing_kept",
    "operator",
    "plan",
    "receiver",
    "signed_in",
    "viewer",
]
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands here."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.api)
