"""How recently the user of a session must have given a password or a second factor for a call."""

from __future__ import annotations

from enum import StrEnum


class RecentProof(StrEnum):
    """What a view's method asks of a session; API tokens are not asked."""

    CONFIGURED = "configured"
    """Within HAWSER_STEP_UP_S, if that is set."""
    ALWAYS = "always"
    """Also without the setting: within 15 minutes."""
