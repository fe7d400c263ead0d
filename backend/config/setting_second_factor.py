"""Settings of second factors and of the proof that the user of a session is present."""

from __future__ import annotations

from typing import Final

from backend.common.roles import Role
from backend.config.setting_kinds import Flag, Number, Setting, TextList

OFF: Final = "off"
"""What is written where no role needs a second factor; an empty text is the default."""


def _check_role(name: str, relaxed: bool) -> None:
    if name not in (*Role, OFF):
        raise ValueError(f"{name!r} is not a role; write {', '.join(Role)}, or {OFF}")


SECOND_FACTOR: Final = (
    Setting(
        "HAWSER_SECOND_FACTOR_ROLES",
        TextList("roles separated by commas, such as `approver,admin`, or `off`", _check_role),
        "admin",
        "users with the lowest of these roles, or a higher one, need a "
        "[second factor](../how-to/second-factors.md), and their tokens ranges of addresses; `approver,admin` is "
        "recommended",
        relaxed_default=OFF,
    ),
    Setting(
        "HAWSER_STEP_UP_S",
        Number(0, 43200),
        "900",
        "before a run starts or goes on, an approval, a change of tokens, and each change beyond an operator's "
        "permissions ([every call](access-matrix.md)), a session must have proved its user within so many seconds; "
        "0: never",
        relaxed_default="0",
    ),
    Setting("HAWSER_PASSKEY_SIGN_IN", Flag(), "1", "a passkey signs in without a password"),
)
