"""What a worker does in a run. `actor` is who requested the run, and `request_id` that of the request."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_WORKER = "A worker, for the user who requested the run (`actor`)."
_RUN = "`link_id`; `run_id`; `target`: id of the plan"
_LINK = "`link_id`; `run_id`"
_EPOCH = DocumentedField("epoch", "integer", "grows with each worker that claims the run")
_STATEMENT = DocumentedField("statement", "integer", "id of the statement, the same in intent and outcome")
_CLUSTER = DocumentedField("cluster", "string", "id of the side's cluster")

RUNS = (
    ActionEntry(
        actions=("worker:run:claim",),
        title="A worker claimed the run",
        who=_WORKER,
        recorded_when="The worker starts or continues the run.",
        identifies=_RUN,
        values=Values.NONE,
        facts=(_EPOCH, DocumentedField("owner", "string", "host and process of the worker")),
    ),
    ActionEntry(
        actions=("worker:run:refused",),
        title="A worker refused the run",
        who=_WORKER,
        recorded_when="The run was not released by the console, or its requester may not run plans any more.",
        identifies=_RUN,
        values=Values.NONE,
        facts=(
            DocumentedField("code", "string", "why, for example `requester_not_permitted`"),
            DocumentedField("state", "string", "state of the run before; only if it was not released"),
        ),
    ),
    ActionEntry(
        actions=(
            "worker:run:step_running",
            "worker:run:step_succeeded",
            "worker:run:step_failed",
            "worker:run:step_undone",
        ),
        title="A step changed its state",
        who=_WORKER,
        recorded_when="An attempt at the step began, its proof holds or failed, or it was reverted.",
        identifies=_RUN,
        values=Values.AFTER,
        facts=(
            DocumentedField("step", "integer, from 0", "position of the step in the plan"),
            DocumentedField("code", "string", "code of the step"),
            _EPOCH,
            DocumentedField("outcome", "string", "what was observed; absent from `step_running`"),
        ),
    ),
    ActionEntry(
        actions=("worker:credential:rotate",),
        title="The console uses the other password of an account",
        who="The requester of the run that rotates passwords.",
        recorded_when="The new password was verified on every node; or the run went back to the old one.",
        identifies="`link_id`, `run_id`",
        values=Values.NONE,
        facts=(
            DocumentedField("role", "string", "`monitor`, `operator` or `replication`"),
            DocumentedField("clusters", "list of strings", "ids of the clusters whose account it is"),
            DocumentedField("password", "string", "`new` or `old`; never the password"),
        ),
    ),
    ActionEntry(
        actions=("worker:run:point_of_no_return",),
        title="The point of no return was passed",
        who=_WORKER,
        recorded_when="From here on the run cannot be aborted.",
        identifies=_RUN,
        values=Values.NONE,
        facts=(_EPOCH,),
    ),
    ActionEntry(
        actions=("worker:run:succeeded", "worker:run:failed", "worker:run:aborted", "worker:run:needs_operator"),
        title="A run ended, or needs an operator",
        who=_WORKER,
        recorded_when="The worker stored the state that the last word names.",
        identifies=_RUN,
        values=Values.AFTER,
        facts=(
            DocumentedField("outcome", "string", "what was achieved or reverted"),
            DocumentedField("next_action", "string", "what to do next; may be empty"),
            DocumentedField(
                "removed_channels",
                "list of objects",
                "only of `remove_channels`: each channel, and the file, position and GTID where it stopped",
            ),
        ),
    ),
)
STATEMENTS = (
    ActionEntry(
        actions=("worker:run:statement_intent",),
        title="A statement is about to be sent",
        who=_WORKER,
        recorded_when="Before the statement is sent. Without an outcome it is unknown whether it took effect.",
        identifies=_RUN,
        values=Values.NONE,
        facts=(
            _STATEMENT,
            DocumentedField("node", "string", "name of the node"),
            DocumentedField("sql", "string", "the statement, with secrets masked and rows left out"),
            DocumentedField("sql_digest", "string, SHA-256 in hex", "digest of the whole statement"),
            DocumentedField("connection_id", "integer or null", "connection on the server"),
            _EPOCH,
            DocumentedField("step", "integer, from 0", "position of the step in the plan"),
        ),
    ),
    ActionEntry(
        actions=("worker:run:statement_outcome",),
        title="The outcome of a statement",
        who=_WORKER,
        recorded_when="The server answered, or was observed later.",
        identifies=_RUN,
        values=Values.AFTER,
        facts=(
            _STATEMENT,
            DocumentedField("state", "string", "`ok`, `failed`, `indeterminate` or `observed`"),
            DocumentedField("warnings", "list of strings", "warnings of the server"),
            DocumentedField("error", "string", "error of the server; else empty"),
            _EPOCH,
        ),
    ),
)
LINK_CHANGES = (
    ActionEntry(
        actions=("worker:link:roles",),
        title="The roles of the sides were swapped",
        who=_WORKER,
        recorded_when="A switchover, failover or failback made another side active.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(DocumentedField("active", "string", "id of the cluster that is active now"),),
    ),
    ActionEntry(
        actions=("worker:link:invalidated",),
        title="The lost side was invalidated",
        who=_WORKER,
        recorded_when="A failover: the lost side cannot be a source until it is reconciled.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(_CLUSTER,),
    ),
    ActionEntry(
        actions=("worker:link:reconciled",),
        title="The lost side was reconciled",
        who=_WORKER,
        recorded_when="A reprotect: the lost side can be a source again.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(_CLUSTER,),
    ),
    ActionEntry(
        actions=("worker:link:attached",),
        title="The lost side is the standby side again",
        who=_WORKER,
        recorded_when="A reprotect: both channels replicate, and the failover has ended.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(_CLUSTER,),
    ),
    ActionEntry(
        actions=("worker:link:state_uuid",),
        title="A new state UUID was accepted",
        who=_WORKER,
        recorded_when="A run accepted the new history of a side.",
        identifies=_LINK,
        values=Values.AFTER,
        facts=(_CLUSTER, DocumentedField("state_uuid", "string", "Galera state UUID that is valid now")),
    ),
)
