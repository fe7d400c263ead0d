"""Incidents. What they start is recorded as for any run."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_OPERATOR = "An operator."
_TARGET = "`target`: id of the incident"
_NAME = DocumentedField("name", "string", "name of the incident")
_DIGEST = DocumentedField("digest", "string", "digest of the incident")
_CODE = DocumentedField("code", "string", "code of the [problem](problems.md)")
_RULES = (
    DocumentedField("at_once", "integer, a count", "operations that may run at once"),
    DocumentedField("stop_at_failure", "boolean", "whether nothing is started after a failure"),
)

INCIDENTS = (
    ActionEntry(
        actions=("api:incident:create",),
        title="An incident was opened",
        who=_OPERATOR,
        recorded_when="The incident was stored. Its plans follow, each with its own record.",
        identifies=_TARGET,
        values=Values.ADDED,
        facts=(
            _NAME,
            DocumentedField("scope", "string", "what was lost, for example `site milan`"),
            DocumentedField("operations", "object", "the proposed operation of each link, by name; null for none"),
            *_RULES,
        ),
    ),
    ActionEntry(
        actions=("api:incident:plan",),
        title="New plans of an incident were requested",
        who=_OPERATOR,
        recorded_when="The request was stored; an earlier confirmation is void.",
        identifies=_TARGET,
        values=Values.AFTER,
        facts=(
            _NAME,
            DocumentedField("links", "list of strings", "names of the links that are planned again"),
            DocumentedField("options", "object", "options of each plan, by the name of the link"),
        ),
    ),
    ActionEntry(
        actions=("api:incident:order",),
        title="Order or rules of an incident were set",
        who=_OPERATOR,
        recorded_when="The change was stored.",
        identifies=_TARGET,
        values=Values.AFTER,
        facts=(_NAME, DocumentedField("order", "list of strings", "names of the links to start, in order"), *_RULES),
    ),
    ActionEntry(
        actions=("api:incident:confirm",),
        title="An incident was confirmed",
        who=_OPERATOR,
        recorded_when="All checks passed. Each run has a record of its own when it is created.",
        identifies=f"{_TARGET}; `reason`: as it was given",
        values=Values.ADDED,
        facts=(
            _NAME,
            _DIGEST,
            DocumentedField("plans", "object", "id of the plan of each link, by name, in order"),
            DocumentedField("loss", "object", "the data loss that each plan states, by name of the link"),
            DocumentedField("attestations", "list of objects", "`link_id`, `option` and `node_id` of each attestation"),
            *_RULES,
        ),
    ),
    ActionEntry(
        actions=("api:incident:refused",),
        title="The confirmation of an incident was refused",
        who=_OPERATOR,
        recorded_when="Nothing was confirmed, for example because a plan has expired.",
        identifies=f"{_TARGET}; `reason`: as it was given",
        values=Values.NONE,
        facts=(_CODE, DocumentedField("detail", "string", "the sentence of the problem")),
    ),
    ActionEntry(
        actions=("api:incident:approve",),
        title="An incident was approved",
        who="An approver.",
        recorded_when="The approval was stored. Each run that it counts for has an `api:run:approve` of its own.",
        identifies=f"{_TARGET}; `reason`: the comment",
        values=Values.ADDED,
        facts=(_NAME, _DIGEST, DocumentedField("links", "list of strings", "names of the links it can count for")),
    ),
    ActionEntry(
        actions=("api:incident:refused_approval",),
        title="The approval of an incident was refused",
        who="An approver.",
        recorded_when="The approval did not count, for example because it is the own incident.",
        identifies=f"{_TARGET}; `reason`: the comment",
        values=Values.NONE,
        facts=(_CODE,),
    ),
    ActionEntry(
        actions=("api:incident:abort",),
        title="An incident was aborted",
        who=_OPERATOR,
        recorded_when="Nothing new is started. Runs of which nothing was sent are aborted with records of their own.",
        identifies=f"{_TARGET}; `reason`: the comment",
        values=Values.REMOVED,
        facts=(_NAME,),
    ),
    ActionEntry(
        actions=("console:incident:stop",),
        title="An incident was stopped",
        who="Hawser (`actor` is `console`).",
        recorded_when="An operation failed or was not started, and the stop rule is on.",
        identifies=_TARGET,
        values=Values.NONE,
        facts=(
            _NAME,
            DocumentedField("because", "string", "id of the link whose operation stopped it"),
            DocumentedField("item_state", "string", "what became of that operation, for example `failed`"),
        ),
    ),
    ActionEntry(
        actions=("console:incident:end",),
        title="An incident ended",
        who="Hawser (`actor` is `console`).",
        recorded_when="Every operation that was confirmed has ended.",
        identifies=_TARGET,
        values=Values.NONE,
        facts=(_NAME, DocumentedField("outcome", "string", "how many operations succeeded")),
    ),
)
