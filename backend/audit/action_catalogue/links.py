"""Clusters, links, webhooks and what they let Hawser do automatically."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_ADMIN = "An administrator."
_OPERATOR = "An operator."
_LINK = "`link_id` and `target`: id of the link"
_HOOK = "`link_id`; `target`: id of the webhook"

_DISMISSAL = "`target`: id of the dismissal; `link_id` if it is advice on a link"
_ADVICE = (
    DocumentedField("subject", "string", "id of the cluster or link"),
    DocumentedField("code", "string", "code of the [advice](advice.md)"),
    DocumentedField("fact", "string", "the fact that the advice rests on"),
    DocumentedField("reason", "string", "why it was dismissed"),
)

CLUSTERS_AND_LINKS = (
    ActionEntry(
        actions=("api:cluster:register", "cli:cluster:register"),
        title="A cluster was registered",
        who=f"{_ADMIN} With `cli`: the user of a shell.",
        recorded_when="The cluster was registered. Its passwords are in no record.",
        identifies="`target`: id of the cluster",
        values=Values.ADDED,
        facts=(
            DocumentedField("name", "string", "its name"),
            DocumentedField("site", "string", "its site"),
            DocumentedField("tls_mode", "string", "how connections to its nodes are encrypted"),
            DocumentedField("has_client_certificate", "boolean", "whether the console proves itself by a certificate"),
            DocumentedField("nodes", "list of strings", "name and address of each node: `db-a1 10.1.0.11:3306`"),
            DocumentedField("users", "object of strings", "database account for each purpose"),
            DocumentedField("references", "object of strings", "by purpose, where a password is kept"),
            DocumentedField("state_uuid", "string or null", "Galera state UUID; null if no node was reached"),
            DocumentedField("unreached", "list of strings", "names of nodes that were not reached"),
        ),
    ),
    ActionEntry(
        actions=("api:cluster:check",),
        title="A cluster was inspected",
        who=_OPERATOR,
        recorded_when="The settings and privileges of its nodes were read.",
        identifies="`target`: id of the cluster",
        values=Values.NONE,
        facts=(DocumentedField("found", "list of strings", "codes of [findings](findings.md) that refuse a plan"),),
    ),
    ActionEntry(
        actions=("api:advice:dismiss",),
        title="Advice was dismissed",
        who=_OPERATOR,
        recorded_when="Advice on a cluster or link was dismissed until a time.",
        identifies=_DISMISSAL,
        values=Values.ADDED,
        facts=(*_ADVICE, DocumentedField("expires_at", "string", "until when")),
    ),
    ActionEntry(
        actions=("api:advice:withdraw",),
        title="A dismissal of advice was withdrawn",
        who=_OPERATOR,
        recorded_when="Dismissed advice was opened again before its time.",
        identifies=_DISMISSAL,
        values=Values.REMOVED,
        facts=_ADVICE,
    ),
    ActionEntry(
        actions=("api:link:settle_transactions",),
        title="Transactions that do not stand on both sides were settled",
        who=_OPERATOR,
        recorded_when="A person stated that they need nothing more. Nothing is changed on a server.",
        identifies=_LINK,
        values=Values.REMOVED,
        facts=(
            DocumentedField("direction", "string", "`forward` or `reverse`"),
            DocumentedField("gtids", "list of strings", "their GTIDs"),
            DocumentedField("reason", "string", "the reason that was given"),
        ),
    ),
    ActionEntry(
        actions=("api:node:locate",),
        title="An Xid was looked up",
        who=_OPERATOR,
        recorded_when="The binary logs of a node were searched.",
        identifies="`target`: id of the node",
        values=Values.NONE,
        facts=(
            DocumentedField("xid", "integer", "the Xid"),
            DocumentedField("found", "boolean", "whether it was found"),
        ),
    ),
    ActionEntry(
        actions=("api:link:register", "cli:link:register"),
        title="A link was registered",
        who=f"{_ADMIN} With `cli`: the user of a shell.",
        recorded_when="The link was registered.",
        identifies=_LINK,
        values=Values.ADDED,
        facts=(
            DocumentedField("name", "string", "its name"),
            DocumentedField("active", "string", "name of the active cluster"),
            DocumentedField("standby", "string", "name of the standby cluster"),
            DocumentedField("channel_name", "string", "name of its channels; empty for the unnamed one"),
            DocumentedField("probe", "string", "what became of the probe table"),
            DocumentedField("requires_approval", "boolean", "whether runs need a second person"),
            DocumentedField("writes_on_both_sides", "boolean", "whether applications write on the standby side, too"),
        ),
    ),
    ActionEntry(
        actions=("api:channel-error:read",),
        title="The row that a channel stopped on was read",
        who=_OPERATOR,
        recorded_when="A user read it from the servers. The row itself is in no record.",
        identifies="`link_id`; `target`: `forward` or `reverse`",
        values=Values.NONE,
        facts=(
            DocumentedField("state", "string", "how the row stands to the transaction, for example `row_missing`"),
            DocumentedField("errno", "integer", "error number of the server"),
            DocumentedField("table", "string or null", "its table"),
        ),
    ),
    ActionEntry(
        actions=("api:lookup:search", "cli:lookup:search"),
        title="Transactions were looked up",
        who=f"{_OPERATOR} With `cli`: the user of a shell.",
        recorded_when="The binary logs of the link's nodes were searched.",
        identifies=_LINK,
        values=Values.NONE,
        facts=(
            DocumentedField(
                "criteria", "object of strings", "what was looked for; of a statement's text only `(given)`"
            ),
            DocumentedField("transactions", "integer", "number of transactions found"),
        ),
    ),
    ActionEntry(
        actions=("api:lookup:rows", "cli:lookup:rows"),
        title="The rows of a transaction were read",
        who=f"{_OPERATOR} With `cli`: the user of a shell.",
        recorded_when="They were read from a node's binary log. The rows themselves are in no record.",
        identifies="`link_id`; `target`: id of the node",
        values=Values.NONE,
        facts=(
            DocumentedField("position", "string", "where the transaction begins, for example `binlog.000042:1309`"),
            DocumentedField("rows", "integer or null", "number of its rows; null if they could not be read"),
            DocumentedField("tables", "list of strings", "tables that it changes"),
        ),
    ),
)
_HOOK_FACTS = (
    DocumentedField("name", "string", "its name"),
    DocumentedField("phase", "string", "`before`, `after` or `event`"),
    DocumentedField("kinds", "list of strings", "kinds of plans, or beginnings of kinds of events; empty: all"),
    DocumentedField("blocking", "boolean", "whether a call that is not accepted stops the run"),
    DocumentedField("timeout_s", "integer, seconds", "time limit of a call"),
    DocumentedField("min_severity", "string", "least severity of events"),
    DocumentedField("enabled", "boolean", "whether it is called"),
    DocumentedField("receiver", "string", "host of its URL; the URL itself is in no record"),
    DocumentedField("signed_anew", "boolean", "true if a secret was set; the secret is in no record"),
)
HOOKS = (
    ActionEntry(
        actions=("api:hook:create",),
        title="A webhook was created",
        who=_ADMIN,
        recorded_when="The webhook was created.",
        identifies=_HOOK,
        values=Values.ADDED,
        facts=_HOOK_FACTS,
    ),
    ActionEntry(
        actions=("api:hook:update",),
        title="A webhook was changed",
        who=_ADMIN,
        recorded_when="The webhook was changed. `facts` has the fields that were sent.",
        identifies=_HOOK,
        values=Values.AFTER,
        facts=_HOOK_FACTS,
    ),
    ActionEntry(
        actions=("api:hook:delete",),
        title="A webhook was deleted",
        who=_ADMIN,
        recorded_when="The webhook was deleted with its deliveries.",
        identifies=_HOOK,
        values=Values.REMOVED,
        facts=(DocumentedField("name", "string", "its name"),),
    ),
    ActionEntry(
        actions=("api:hook:test",),
        title="A webhook was tested",
        who=_ADMIN,
        recorded_when="The webhook was called once, outside of a run.",
        identifies=_HOOK,
        values=Values.NONE,
        facts=(
            DocumentedField("delivery", "string", "id of the delivery"),
            DocumentedField("state", "string", "`delivered` or `failed`"),
            DocumentedField("status", "integer or null", "HTTP status; null if there was no response"),
            DocumentedField("error", "string", "why it was not accepted; else empty"),
        ),
    ),
)
