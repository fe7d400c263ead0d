"""Plans, and the requests and decisions of users on runs."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_OPERATOR = "An operator, the automation or a user of the shell (`break-glass`)."
_DECIDER = "An operator or a user of the shell (`break-glass`)."
_APPROVER = "An approver. At the shell `actor` names the account, too: `ben (break-glass anna)`."
_PLAN = "`link_id`; `target`: id of the plan; `reason`: as it was given"
_RUN = "`link_id`; `run_id` and `target`: id of the run; `reason`: the comment"
_KIND = DocumentedField("kind", "string", "the operation, for example `relocate`")
_DIGEST = DocumentedField("digest", "string", "digest of the plan")
_STATE = DocumentedField("state", "string", "state of the run after it, for example `queued`")
_CODE = DocumentedField("code", "string", "code of the [problem](problems.md)")
_PLAN_FACTS = (
    _KIND,
    _DIGEST,
    DocumentedField("options", "object", "options of the request"),
    DocumentedField("refused_by", "list of strings", "codes of the [findings](findings.md) that refuse the plan"),
)

PLANS = (
    ActionEntry(
        actions=("api:plan:create",),
        title="A plan was created",
        who=_OPERATOR,
        recorded_when="The plan is ready. Nothing was sent to a server.",
        identifies=_PLAN,
        values=Values.ADDED,
        facts=_PLAN_FACTS,
    ),
    ActionEntry(
        actions=("api:plan:refused",),
        title="A plan was refused",
        who=_OPERATOR,
        recorded_when="Findings refuse the plan, which is stored and cannot be run.",
        identifies=_PLAN,
        values=Values.ADDED,
        facts=_PLAN_FACTS,
    ),
    ActionEntry(
        actions=("api:run:start",),
        title="A run was requested",
        who=_OPERATOR,
        recorded_when="The run was created: `queued`, or `waiting_approval` if the link needs a second person.",
        identifies=f"{_PLAN}; `run_id`",
        values=Values.ADDED,
        facts=(_KIND, _DIGEST, _STATE),
    ),
    ActionEntry(
        actions=("api:run:refused",),
        title="A run was refused",
        who=_OPERATOR,
        recorded_when="The run was not created, for example because the servers have changed.",
        identifies=_PLAN,
        values=Values.NONE,
        facts=(_CODE, DocumentedField("detail", "string", "the sentence of the problem")),
    ),
)
DECISIONS = (
    ActionEntry(
        actions=("api:run:approve",),
        title="A run was approved",
        who=_APPROVER,
        recorded_when="The last person needed approved the digest of the plan; the run is queued.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:approve_partly",),
        title="A run was approved by one of several",
        who=_APPROVER,
        recorded_when="An approval was stored, and others are still missing; the run waits on.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:reject",),
        title="A run was rejected",
        who=_APPROVER,
        recorded_when="The run was aborted, or needs an operator if it had been resumed.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:approve_exception",),
        title="A run was released without a second person",
        who="A user of the shell (`break-glass`).",
        recorded_when="The exception was made; another user must review it.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:review_exception",),
        title="An exception was reviewed",
        who="An approver who neither requested the run nor made the exception.",
        recorded_when="The review was stored.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:refused_approval",),
        title="An approval or a rejection was refused",
        who="An approver.",
        recorded_when="The decision did not count, for example because it is the own run.",
        identifies=_RUN,
        values=Values.NONE,
        facts=(_CODE,),
    ),
    ActionEntry(
        actions=("cli:run:refused_approval",),
        title="An approval at the shell was refused",
        who="A user of the shell (`break-glass`).",
        recorded_when="Password, code or token was wrong or not checked, or is not an approver's.",
        identifies="`link_id`; `run_id`; `target`: name of the approver; `reason`: as it was given",
        values=Values.NONE,
        facts=(
            DocumentedField(
                "code", "string", "`wrong_credentials`, `too_many_attempts`, `sign_in_busy` or `forbidden`"
            ),
        ),
    ),
    ActionEntry(
        actions=("api:run:expire",),
        title="A run was not approved in time",
        who="Hawser (`actor` is `console`), or the user whose approval came too late.",
        recorded_when="The run was aborted, or needs an operator if it had been resumed.",
        identifies="`link_id`; `run_id` and `target`: id of the run",
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:abort",),
        title="A run was aborted",
        who=_DECIDER,
        recorded_when="The run ended unstarted, or its abort was requested and a worker reverts it.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:refused_abort",),
        title="An abort was refused",
        who=_DECIDER,
        recorded_when="The run had ended, was being aborted, or had passed the point of no return.",
        identifies=_RUN,
        values=Values.NONE,
        facts=(_STATE,),
    ),
    ActionEntry(
        actions=("api:run:resume",),
        title="A run was resumed",
        who=_DECIDER,
        recorded_when="The run is queued again, or waits for another approval.",
        identifies=_RUN,
        values=Values.STATE,
        facts=(_STATE,),
    ),
)
