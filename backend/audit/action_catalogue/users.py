"""Users, and changes that the two-person rule protects."""

from __future__ import annotations

from backend.audit.action_catalogue.access import PUSHES, ROLE_NAMES, SESSIONS, TOKENS
from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_WHO = "An administrator (`api`) or a user of the shell (`cli`)."
_NAME = "`target`: the user name"
_ROLE = DocumentedField("role", "string", ROLE_NAMES)
_PROTECTED = (
    DocumentedField("change", "string", "id of the change"),
    DocumentedField("kind", "string", "for example `approver_added`, `operator_token_made` or `approval_rule_off`"),
    DocumentedField("summary", "string", "what changes, in a sentence"),
    DocumentedField("effective_at", "string, RFC 3339 in UTC", "when it takes effect if no administrator decides"),
)

USERS = (
    ActionEntry(
        actions=("api:user:notice_accept", "api:user:notice_withdraw"),
        title="A user agreed to what is kept of persons, or does not any more",
        who="Every user with a session. `actor` is the user.",
        recorded_when="The user chose so on the page of first steps or of the account.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("session:user:initial_password_ended",),
        title="A sign-in with an initial password that ended was refused",
        who="Every user with such a password. `actor` is the user.",
        recorded_when="The password was right, and its user had not replaced it in time.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("console:user:erase",),
        title="Personal data of a user was deleted",
        who="The monitor. `actor` is `hawser`.",
        recorded_when="A user was disabled and did not sign in for 400 days. The name stays.",
        identifies=_NAME,
        values=Values.REMOVED,
    ),
    ActionEntry(
        actions=("api:user:create", "cli:user:create"),
        title="A user was created",
        who=_WHO,
        recorded_when="The user was created. A password is in no record.",
        identifies=_NAME,
        values=Values.ADDED,
        facts=(_ROLE, DocumentedField("service_of", "string", "owner of a service account; left out for a person")),
    ),
    ActionEntry(
        actions=("api:user:update", "cli:user:update"),
        title="A user was changed",
        who=_WHO,
        recorded_when="Role, state, password, mapped accounts of the host or the same person were changed.",
        identifies=_NAME,
        values=Values.AFTER,
        facts=(
            _ROLE,
            DocumentedField("is_active", "boolean", "whether the user can sign in"),
            DocumentedField("os_users", "list of strings", "accounts of the console's host that are this user"),
            DocumentedField("same_person_as", "string", "another user who is the same person"),
            DocumentedField("password_changed", "boolean", "true if a new password was set"),
            SESSIONS,
            TOKENS,
            PUSHES,
        ),
    ),
    ActionEntry(
        actions=("api:user:unlock", "cli:user:unlock"),
        title="The failed sign-ins of a user were cleared",
        who=_WHO,
        recorded_when="The user can try to sign in again at once.",
        identifies=_NAME,
        values=Values.NONE,
    ),
)
_CHANGE = "`target`: user name, id of the token, or id of the link whose approval rule it is (then `link_id`, too)"
PROTECTED_CHANGES = (
    ActionEntry(
        actions=("console:protected_change:announced",),
        title="A protected change waits",
        who="Who requested the change: an administrator or a user of the shell.",
        recorded_when="The change was announced; it takes effect later, or when another administrator confirms it.",
        identifies=_CHANGE,
        values=Values.ADDED,
        facts=_PROTECTED,
    ),
    ActionEntry(
        actions=("console:protected_change:confirmed",),
        title="A protected change was confirmed",
        who="A second administrator.",
        recorded_when="The change was confirmed and took effect.",
        identifies=f"{_CHANGE}; `reason`: the comment",
        values=Values.AFTER,
        facts=_PROTECTED,
    ),
    ActionEntry(
        actions=("console:protected_change:rejected",),
        title="A protected change was rejected",
        who="An administrator, also the one who requested it.",
        recorded_when="The change was rejected, or withdrawn.",
        identifies=f"{_CHANGE}; `reason`: the comment",
        values=Values.REMOVED,
        facts=_PROTECTED,
    ),
    ActionEntry(
        actions=("console:protected_change:effective",),
        title="A protected change took effect",
        who="Hawser, when the waiting time is over. `actor` is who requested it.",
        recorded_when="The waiting time was over, or is set to 0.",
        identifies=_CHANGE,
        values=Values.AFTER,
        facts=_PROTECTED,
    ),
)
