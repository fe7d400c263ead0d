"""Second factors, and the proof that the user of a session is present."""

from __future__ import annotations

from backend.audit.action_catalogue.access import FACTOR, PUSHES, SESSIONS, TOKENS
from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_OWN = "Every user with a session. `actor` is the user."
_NAME = "`target`: the user name"

SECOND_FACTORS = (
    ActionEntry(
        actions=("session:user:second_factor_failed",),
        title="A second factor was refused",
        who="Who signs in with the password of the user, or has a session of the user. `actor` is the user.",
        recorded_when="A code or passkey was wrong. `reason` says why a passkey was refused.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("session:user:second_factor_reused",),
        title="A used code was given again",
        who="Who signs in with the password of the user, or has a session of the user. `actor` is the user.",
        recorded_when="A code of the app or a recovery code was right, and had been used before. It was refused.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("session:user:proof",),
        title="A user confirmed to be present",
        who=_OWN,
        recorded_when="The password or a second factor was given again in a session.",
        identifies=_NAME,
        values=Values.NONE,
        facts=(FACTOR,),
    ),
    ActionEntry(
        actions=("api:second_factor:added",),
        title="A second factor was added",
        who=_OWN,
        recorded_when="An app or a passkey was added. Its secret is in no record.",
        identifies=_NAME,
        values=Values.ADDED,
        facts=(FACTOR,),
    ),
    ActionEntry(
        actions=("api:second_factor:removed",),
        title="A second factor was removed",
        who=_OWN,
        recorded_when="The user removed an app or a passkey.",
        identifies=_NAME,
        values=Values.REMOVED,
        facts=(FACTOR,),
    ),
    ActionEntry(
        actions=("api:second_factor:recovery_codes",),
        title="New recovery codes were made",
        who=_OWN,
        recorded_when="The user got ten new codes, and the earlier ones ended.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:user:remove_factors", "cli:user:remove_factors"),
        title="The second factors of a user were removed",
        who="An administrator (`api`), or a user of the shell (`cli`).",
        recorded_when="All second factors of the user were removed, and all access of the user ended.",
        identifies=_NAME,
        values=Values.REMOVED,
        facts=(
            DocumentedField("apps_removed", "integer", "authenticator apps that were removed, 0 or 1"),
            DocumentedField("passkeys_removed", "integer", "passkeys that were removed"),
            SESSIONS,
            TOKENS,
            PUSHES,
        ),
    ),
)
