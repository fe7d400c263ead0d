"""How recently the user of a session must have given a password or a second factor for a call."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from rest_framework.permissions import SAFE_METHODS

from backend.common.roles import BEYOND_OPERATION, Permission


class RecentProof(StrEnum):
    """What a view's method asks of a session; API tokens are not asked."""

    CONFIGURED = "configured"
    """Within HAWSER_STEP_UP_S, if that is set."""
    ALWAYS = "always"
    """Also without the setting: within 15 minutes."""


NOT_ASKED: Final[Mapping[tuple[str, str], str]] = {
    ("POST", "api/v1/declarations"): (
        "It compares only: it changes nothing and connects to nothing. Its comparisons with stored passwords are "
        "counted and in the audit log."
    ),
    ("DELETE", "api/v1/users/<str:username>/tokens/<str:token_id>"): (
        "It ends one token and gives nobody anything: a stolen token must end at once."
    ),
}
"""Method and route of a change beyond an operator's permissions -> why it asks for no proof all the same."""


def default_proof(method: str, route: str, needed: Permission | None) -> RecentProof | None:
    """What is asked before a method that needs this permission: before each change beyond an operator's."""
    if method in SAFE_METHODS or needed not in BEYOND_OPERATION or (method, route) in NOT_ASKED:
        return None
    return RecentProof.CONFIGURED
