"""The event names of the stream."""

from __future__ import annotations

from backend.common.documented_field import DocumentedField
from backend.common.events.event_catalogue.entry import StreamEvent

_LINK = DocumentedField("link_id", "string", "id of the link")
_RUN = DocumentedField("run_id", "string", "id of the run")
_SIGNAL = "kept for an hour"

STREAM = (
    StreamEvent(
        name="link.updated",
        sent_when="The monitor stored a new state of the link, at most once a second. Read the link.",
        stored_for=_SIGNAL,
        fields=(_LINK,),
        example={"link_id": "l_d6ya4pn7cz2h"},
    ),
    StreamEvent(
        name="run.updated",
        sent_when="The run changed: a decision, a claim by a worker, a step, a statement or its end. Read the run.",
        stored_for=_SIGNAL,
        fields=(
            _RUN,
            _LINK,
            DocumentedField(
                "state",
                "string",
                "`waiting_approval`, `queued`, `running`, `succeeded`, `failed`, `aborted` or `needs_operator`",
            ),
            DocumentedField("version", "integer, a count", "grows with each change; ignore a lower one than you have"),
        ),
        example={"run_id": "r_k3vq7m2xw5ta", "link_id": "l_d6ya4pn7cz2h", "state": "running", "version": 7},
    ),
    StreamEvent(
        name="step.updated",
        sent_when="A step of the run changed its state, or one of its statements was sent or has an outcome.",
        stored_for=_SIGNAL,
        fields=(
            _RUN,
            DocumentedField("index", "integer, from 0", "position of the step in the plan"),
            DocumentedField("state", "string", "`running`, `succeeded`, `failed` or `undone`"),
        ),
        example={"run_id": "r_k3vq7m2xw5ta", "index": 3, "state": "succeeded"},
    ),
    StreamEvent(
        name="incident.updated",
        sent_when="The incident changed: a plan, its order, a decision, or its end. Its runs send `run.updated`.",
        stored_for=_SIGNAL,
        fields=(
            DocumentedField("incident_id", "string", "id of the incident"),
            DocumentedField("link_ids", "list of strings", "ids of its links; only who may read all of them gets it"),
            DocumentedField("state", "string", "`planned`, `running`, `stopped`, `ended` or `aborted`"),
            DocumentedField("version", "integer, a count", "grows with each change; ignore a lower one than you have"),
        ),
        example={"incident_id": "x_k3vq7m2xw5ta", "link_ids": ["l_d6ya4pn7cz2h"], "state": "running", "version": 4},
    ),
    StreamEvent(
        name="event.raised",
        sent_when="Something happened that a user wants to know: `kind` says what.",
        stored_for="kept for 400 days: those of a link are its history",
        fields=(
            DocumentedField("id", "integer", "id of the event, which is also the `id` of its frame"),
            DocumentedField("at", "string, RFC 3339 in UTC", "when it was raised"),
            DocumentedField("link_id", "string", "id of the link; empty for an event of the console as a whole"),
            DocumentedField("run_id", "string or null", "id of the run that it is about"),
            DocumentedField("kind", "string", "one of the kinds in the sections below"),
            DocumentedField("severity", "string", "`ok`, `info`, `warning`, `unknown` or `blocker`"),
            DocumentedField("message", "string", "a sentence for people; its words may change with a version"),
            DocumentedField("actor", "string or null", "user or part of Hawser that caused it"),
            DocumentedField(
                "subject",
                "string or null",
                "the node or advice, where one event begins and another ends something",
            ),
        ),
        example={
            "id": 4711,
            "at": "2026-11-25T03:04:05.123456Z",
            "link_id": "l_d6ya4pn7cz2h",
            "run_id": None,
            "kind": "node.down",
            "severity": "blocker",
            "message": "db-a1 is down: connection refused: no server is listening on this port.",
            "actor": None,
            "subject": "db-a1",
        },
    ),
    StreamEvent(
        name="heartbeat",
        sent_when="Nothing happened to the data: every 10 s, so that a broken connection can be told from an idle one.",
        stored_for="not kept, and without an id",
    ),
)
