"""The audit log itself, the console's keys and its database."""

from __future__ import annotations

from backend.audit.action_catalogue.access import PUSHES, SESSIONS, TOKENS
from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_EVERYBODY = "Every user."
_HAWSER = "Hawser itself. `actor` is `console`."
_SHELL = "A user of the shell. `actor` is `command line`."
_USER_OF_SHELL = "A user of the shell. `actor` is `command line` and the account of the operating system."
_ONCE = "At most once a minute for each user."
_OK = DocumentedField("ok", "boolean", "whether the chain is intact")
_SEQ = DocumentedField("first_bad_seq", "integer or null", "number of the first damaged record")
_REASON = DocumentedField("reason", "string or null", "kind of the damage, for example `rewritten`")
_DETAIL = DocumentedField("detail", "string", "the damage in a sentence")
_FORMAT = DocumentedField("format", "string", "`jsonl` or `csv`")

AUDIT_LOG = (
    ActionEntry(
        actions=("console:audit:open",),
        title="The log was opened with a key",
        who=_HAWSER,
        recorded_when="The first record that has a key was due.",
        identifies="nothing else",
        values=Values.ADDED,
        facts=(
            DocumentedField("installation_id", "string, UUID", "names the installation"),
            DocumentedField("unkeyed_records", "integer", "records before it, which have no key"),
        ),
    ),
    ActionEntry(
        actions=("console:audit:damaged",),
        title="The log is damaged",
        who=_HAWSER,
        recorded_when="A verification of all records found damage.",
        identifies="nothing else",
        values=Values.NONE,
        facts=(_SEQ, _REASON, _DETAIL),
    ),
    ActionEntry(
        actions=("api:audit:verify",),
        title="The log was verified",
        who=_EVERYBODY,
        recorded_when=f"The chain was verified. {_ONCE}",
        identifies="nothing else",
        values=Values.NONE,
        facts=(_OK, _SEQ, _REASON),
    ),
    ActionEntry(
        actions=("api:audit:verify_all",),
        title="The whole log was verified",
        who=_EVERYBODY,
        recorded_when=f"All records were verified from the first one, or one is damaged. {_ONCE}",
        identifies="nothing else",
        values=Values.NONE,
        facts=(_OK, DocumentedField("verified", "integer", "number of the last valid record"), _SEQ, _REASON),
    ),
    ActionEntry(
        actions=("api:audit:export",),
        title="The log was exported",
        who=_EVERYBODY,
        recorded_when=f"Before the records were sent. {_ONCE}",
        identifies="nothing else",
        values=Values.NONE,
        facts=(_FORMAT, DocumentedField("filters", "object", "filters of the request")),
    ),
    ActionEntry(
        actions=("api:history:export",),
        title="The history was exported",
        who=_EVERYBODY,
        recorded_when=f"Before the entries were sent. {_ONCE}",
        identifies="nothing else",
        values=Values.NONE,
        facts=(_FORMAT, DocumentedField("filters", "object", "filters of the request")),
    ),
    ActionEntry(
        actions=("cli:audit:export",),
        title="The log was exported at the shell",
        who=_SHELL,
        recorded_when="Before the records were printed.",
        identifies="nothing else",
        values=Values.NONE,
        facts=(_FORMAT,),
    ),
    ActionEntry(
        actions=("cli:audit:restore_triggers",),
        title="The triggers of the log were created again",
        who=_SHELL,
        recorded_when="The database refuses to change or delete records again.",
        identifies="nothing else",
        values=Values.NONE,
    ),
    ActionEntry(
        actions=("cli:audit:sign_head",),
        title="The end of the log was accepted as it is",
        who=_SHELL,
        recorded_when="After the verification whose result it has, and before the head was signed.",
        identifies="`reason`: as it was given",
        values=Values.NONE,
        facts=(_OK, _SEQ, _REASON, _DETAIL),
    ),
)
CONSOLE = (
    ActionEntry(
        actions=("console:database:restored",),
        title="The database was restored",
        who=_HAWSER,
        recorded_when="The log ends before a number that it had reached. All sessions and tokens ended.",
        identifies="nothing else",
        values=Values.REMOVED,
        facts=(
            SESSIONS,
            TOKENS,
            PUSHES,
            DocumentedField("known_seq", "integer", "number that the log had reached"),
            DocumentedField("found_seq", "integer", "number at which it ended now"),
        ),
    ),
    ActionEntry(
        actions=("cli:console:backup",),
        title="The console was backed up",
        who=_USER_OF_SHELL,
        recorded_when="Before the archive is written. The archive holds this record.",
        identifies="nothing else",
        values=Values.NONE,
        facts=(DocumentedField("file", "string", "file that was to be written"),),
    ),
    ActionEntry(
        actions=("cli:console:restore",),
        title="The console was restored from a backup",
        who=_USER_OF_SHELL,
        recorded_when=(
            "All rows are those of the backup, and nothing goes on without an operator. It is the first record since."
        ),
        identifies="`reason`: as it was given",
        values=Values.REMOVED,
        facts=(
            DocumentedField("made_at", "string, time", "when the backup was made"),
            DocumentedField("made_by_version", "string", "version that made it"),
            DocumentedField("rows", "integer", "rows of all tables"),
            DocumentedField("audit_seq", "integer", "number of its last audit record"),
            DocumentedField("audit_damage", "string", "accepted damage of the audit log; blank if it was intact"),
            SESSIONS,
            TOKENS,
            PUSHES,
            DocumentedField("runs_stopped", "list of strings", "unfinished runs, which need an operator now"),
            DocumentedField("incidents_stopped", "list of strings", "incidents that ran and start nothing more"),
            DocumentedField(
                "automatic_off", "list of strings", "links whose automatic relocate or start was turned off"
            ),
            DocumentedField("messages_dropped", "integer", "calls of webhooks and pushes that waited and are not sent"),
        ),
    ),
    ActionEntry(
        actions=("cli:credentials:reseal",),
        title="Stored secrets were encrypted with the newest key",
        who=_SHELL,
        recorded_when="All of them were encrypted again; the secrets themselves are unchanged.",
        identifies="nothing else",
        values=Values.NONE,
        facts=(DocumentedField("count", "integer", "secrets that were encrypted again"),),
    ),
)
