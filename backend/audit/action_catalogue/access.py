"""Sign-in, passwords, sessions, tokens and refused access."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_COUNT = DocumentedField("count", "integer", "refusals of this kind that the record stands for")
_FIRST = DocumentedField("first_at", "string, RFC 3339 in UTC", "the first of them")
_LAST = DocumentedField("last_at", "string, RFC 3339 in UTC", "the last of them")
ROLE_NAMES = "`none`, `viewer`, `auditor`, `operator`, `approver` or `admin`"
TOKEN_LIMITS = (
    DocumentedField("permissions", "list of strings", "permissions that it was limited to; left out without a limit"),
    DocumentedField("links", "list of strings", "ids of the links that it was limited to; left out without a limit"),
    DocumentedField("environments", "list of strings", "environments that it was limited to; left out without a limit"),
    DocumentedField("addresses", "list of strings", "ranges of addresses to call from; left out without a limit"),
)
SESSIONS = DocumentedField("sessions_ended", "integer", "sessions that ended by it")
TOKENS = DocumentedField("tokens_revoked", "integer", "tokens that were revoked by it")
PUSHES = DocumentedField("push_subscriptions_removed", "integer", "browsers that get no more messages (Web Push)")
_NAME = "`target`: the user name"
FACTOR = DocumentedField("second_factor", "string", "`passkey`, `totp` or `recovery_code`; empty for none")

SIGN_IN = (
    ActionEntry(
        actions=("session:user:sign_in",),
        title="A user signed in",
        who="Every user with a password or an account at a provider. `actor` is the user.",
        recorded_when="The user was authenticated, by password, provider or passkey, and a session was opened.",
        identifies=_NAME,
        values=Values.NONE,
        facts=(
            DocumentedField("method", "string", "`password`, `ldap` or `oidc`"),
            DocumentedField(
                "amr", "list of strings", "what the provider says of how it authenticated the user (RFC 8176)"
            ),
            FACTOR,
        ),
    ),
    ActionEntry(
        actions=("session:user:sign_in_failed",),
        title="A sign-in failed",
        who="Any client that reaches the console. `actor` is `anonymous`.",
        recorded_when="Name or password was wrong, or the user is disabled.",
        identifies="`target`: the name that was entered, which need not be a user's",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("session:user:throttled",),
        title="Sign-ins were refused unread",
        who="Any client that reaches the console. `actor` is `anonymous`.",
        recorded_when="There were too many attempts. One record per minute stands for all of a kind.",
        identifies="`target`: the name that was entered",
        values=Values.NONE,
        facts=(_COUNT, _FIRST, _LAST),
    ),
    ActionEntry(
        actions=("session:user:sign_out",),
        title="A user signed out",
        who="Every user with a session. `actor` is the user.",
        recorded_when="The session ended on the server.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:access:refused",),
        title="Calls were refused",
        who="Any client that reaches the console. `actor` is the user of a 403, else `anonymous`.",
        recorded_when=(
            "The API answered 403, or 401 to a call with credentials. One record per minute stands for all of a kind; "
            "beyond 50 kinds it has only the actor and the counts."
        ),
        identifies="`target`: id of the token that was sent, if it is or was one",
        values=Values.NONE,
        facts=(
            DocumentedField("status", "integer", "HTTP status, 401 or 403"),
            DocumentedField("code", "string", "code of the [problem](problems.md)"),
            DocumentedField("token_id", "string", "id of the token, if there is one"),
            DocumentedField("token_owner", "string", "user name of its owner"),
            _COUNT,
            _FIRST,
            _LAST,
            DocumentedField("calls", "list of strings", "method and route of up to five different calls"),
        ),
    ),
    ActionEntry(
        actions=("api:access:throttled",),
        title="Calls were refused because there were too many",
        who="Any client that reaches the console. `actor` is the user, or `anonymous`.",
        recorded_when=(
            "The API answered 429 `throttled`: more calls in a minute than `HAWSER_CALLS_PER_MINUTE`. One record per "
            "minute stands for all of a caller."
        ),
        identifies="the address of the call",
        values=Values.NONE,
        facts=(_COUNT, _FIRST, _LAST),
    ),
)
SESSIONS_AND_TOKENS = (
    ActionEntry(
        actions=("api:user:password_change",),
        title="A user changed the own password",
        who="Every user with a session. `actor` is the user.",
        recorded_when="The password was changed; all other sessions and all tokens of the user ended.",
        identifies=_NAME,
        values=Values.REMOVED,
        facts=(SESSIONS, TOKENS, PUSHES),
    ),
    ActionEntry(
        actions=("api:user:password_refused",),
        title="A password change was refused",
        who="Every user with a session. `actor` is the user.",
        recorded_when="The current password was wrong.",
        identifies=_NAME,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:token:create", "cli:token:create"),
        title="A token was created",
        who="A user; for a service account an administrator (`api`); a user of the shell for any user (`cli`).",
        recorded_when="The token was created. Its secret is in no record.",
        identifies="`target`: id of the token",
        values=Values.ADDED,
        facts=(
            DocumentedField("owner", "string", "user name of its owner"),
            DocumentedField("label", "string", "its label"),
            DocumentedField("role", "string", ROLE_NAMES),
            DocumentedField("expires_at", "string, RFC 3339 in UTC", "when it expires"),
            *TOKEN_LIMITS,
        ),
    ),
    ActionEntry(
        actions=("api:token:rotate",),
        title="A token was rotated",
        who="Its owner, or for a service account an administrator.",
        recorded_when="Its successor was created. Both are valid until `old_valid_until`.",
        identifies="`target`: id of the new token",
        values=Values.ADDED,
        facts=(
            DocumentedField("owner", "string", "user name of its owner"),
            DocumentedField("label", "string", "its label"),
            DocumentedField("role", "string", ROLE_NAMES),
            DocumentedField("expires_at", "string, RFC 3339 in UTC", "when it expires"),
            *TOKEN_LIMITS,
            DocumentedField("rotated_from", "string", "id of the old token"),
            DocumentedField("old_valid_until", "string, RFC 3339 in UTC", "until when the old token is valid"),
        ),
    ),
    ActionEntry(
        actions=("api:token:revoke", "cli:token:revoke"),
        title="A token was revoked",
        who="Its owner or an administrator (`api`), or a user of the shell (`cli`).",
        recorded_when="The token was revoked.",
        identifies="`target`: id of the token",
        values=Values.REMOVED,
        facts=(
            DocumentedField("owner", "string", "user name of its owner"),
            DocumentedField("label", "string", "its label"),
        ),
    ),
    ActionEntry(
        actions=("api:session:end",),
        title="A session was ended",
        who="Its user or an administrator.",
        recorded_when="One session was ended by its id.",
        identifies="`target`: id of the session",
        values=Values.REMOVED,
        facts=(
            DocumentedField("user", "string", "user name"),
            DocumentedField("source_ip", "string", "address that signed in"),
        ),
    ),
    ActionEntry(
        actions=("cli:user:end_access",),
        title="The access of a user was ended",
        who="A user of the shell, by `hawser_access end`.",
        recorded_when="All sessions and tokens of the user ended, or one session (then without `tokens_revoked`).",
        identifies=_NAME,
        values=Values.REMOVED,
        facts=(SESSIONS, TOKENS, PUSHES),
    ),
    ActionEntry(
        actions=("cli:console:end_all_access",),
        title="All access was ended",
        who="A user of the shell, by `hawser_access end-everything`.",
        recorded_when="All sessions and tokens of all users ended.",
        identifies="`reason`: as it was given",
        values=Values.REMOVED,
        facts=(SESSIONS, TOKENS, PUSHES),
    ),
)
_BROWSER = "`target`: id of the browser's subscription"
_OWNER = DocumentedField("user", "string", "user name of its owner")
_SERVICE = DocumentedField("push_service", "string", "host to which its messages are sent")
WEB_PUSH = (
    ActionEntry(
        actions=("api:push_subscription:create",),
        title="A browser was added to Web Push",
        who="Every user for the own browser, from a session.",
        recorded_when="The browser was added. Its address and keys are in no record.",
        identifies=_BROWSER,
        values=Values.ADDED,
        facts=(
            _OWNER,
            _SERVICE,
            DocumentedField("user_agent", "string", "the browser, as it names itself"),
            DocumentedField("incidents", "boolean", "whether it is told of incidents"),
            DocumentedField("approvals", "boolean", "whether it is told of runs that wait for an approval"),
            DocumentedField("failed_runs", "boolean", "whether it is told of failed runs"),
        ),
    ),
    ActionEntry(
        actions=("api:push_subscription:delete",),
        title="A browser was removed from Web Push",
        who="Its user. Another user, who turns Web Push on in the same browser.",
        recorded_when="The browser was removed. All of a user are removed by the action that ends the user's access.",
        identifies=_BROWSER,
        values=Values.REMOVED,
        facts=(_OWNER, _SERVICE),
    ),
    ActionEntry(
        actions=("console:push_subscription:gone",),
        title="A push service does not know a browser any more",
        who="Hawser itself. `actor` is `console`.",
        recorded_when="The push service answered 404 or 410, and the browser was removed.",
        identifies=_BROWSER,
        values=Values.REMOVED,
        facts=(_OWNER, _SERVICE),
    ),
)
