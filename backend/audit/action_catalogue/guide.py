"""Steps of a guided registration. The administrator's password is in no record."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_ADMIN = "An administrator."
_DRAFT = "`target`: id of the guided registration"
_SIDE = DocumentedField("side", "string", "`first` or `second`: which of the two clusters")
_NODE = DocumentedField("node", "string", "host and port of the node that was connected to")
_USER = DocumentedField("user", "string", "name of the administrator's database account")

GUIDE = (
    ActionEntry(
        actions=("api:registration:start",),
        title="A guided registration was started",
        who=_ADMIN,
        recorded_when="A draft was stored. Nothing was connected to.",
        identifies=_DRAFT,
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("api:registration:discover",),
        title="A cluster was discovered",
        who=_ADMIN,
        recorded_when="Its nodes were read with an administrator's account. Nothing was changed on them.",
        identifies=_DRAFT,
        values=Values.NONE,
        facts=(
            _SIDE,
            _NODE,
            _USER,
            DocumentedField("members", "number", "members and other servers that were found"),
            DocumentedField("connected", "number", "members that answered"),
        ),
    ),
    ActionEntry(
        actions=("cli:registration:discover",),
        title="A cluster was discovered at the shell",
        who="A user of the console's host.",
        recorded_when="Its nodes were read with an administrator's account. Nothing was stored or changed.",
        identifies="`target`: host and port of the node",
        values=Values.NONE,
        facts=(_USER, DocumentedField("members", "number", "servers that were found")),
    ),
    ActionEntry(
        actions=("cli:registration:record_answers",),
        title="Answers of a server were recorded at the shell",
        who="A user of the console's host.",
        recorded_when="A node was read with the account given. Nothing was changed on it.",
        identifies="`target`: host and port of the node",
        values=Values.NONE,
        facts=(_USER, DocumentedField("answers", "number", "answers that were written")),
    ),
    ActionEntry(
        actions=("api:registration:confirm_accounts",),
        title="The creation of accounts was confirmed",
        who=_ADMIN,
        recorded_when="The digest of the statements was confirmed, before the first one was sent.",
        identifies=_DRAFT,
        values=Values.NONE,
        facts=(
            _SIDE,
            _NODE,
            _USER,
            DocumentedField("accounts", "list of strings", "the accounts, `user@host`"),
            DocumentedField("digest", "string", "digest of the confirmed statements"),
        ),
    ),
    ActionEntry(
        actions=("api:registration:create_accounts",),
        title="Accounts were created",
        who=_ADMIN,
        recorded_when="The confirmed statements were sent, all of them or until one was refused.",
        identifies=_DRAFT,
        values=Values.NONE,
        facts=(
            _SIDE,
            DocumentedField("statements", "object", "how many are `done`, were `already_there`, and `failed`"),
            DocumentedField("error", "string", "the server's reason; empty if none failed"),
        ),
    ),
    ActionEntry(
        actions=("api:registration:enter_accounts",),
        title="Accounts were entered",
        who=_ADMIN,
        recorded_when="Accounts that exist were stored for a guided registration. No password is in any record.",
        identifies=_DRAFT,
        values=Values.ADDED,
        facts=(_SIDE, DocumentedField("users", "object", "names of the accounts, by role")),
    ),
    ActionEntry(
        actions=("api:registration:check",),
        title="A cluster was checked before its registration",
        who=_ADMIN,
        recorded_when="Its nodes were read with the three accounts.",
        identifies=_DRAFT,
        values=Values.NONE,
        facts=(_SIDE, DocumentedField("found", "list of strings", "codes of the findings that refuse a plan")),
    ),
    ActionEntry(
        actions=("api:registration:delete",),
        title="A guided registration was deleted",
        who=_ADMIN,
        recorded_when="A draft was deleted with its stored passwords. One that expires is deleted without a record.",
        identifies=_DRAFT,
        values=Values.REMOVED,
        facts=(
            DocumentedField("link", "string", "id of the link, if it was registered"),
            DocumentedField("accounts", "list of strings", "accounts that were created on servers and stay there"),
        ),
    ),
)
