"""Measurements of the network between the sites of a link."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_NODES = (
    DocumentedField("from_node", "string", "name of the node that measured"),
    DocumentedField("to_node", "string", "name of the node of the other cluster"),
)
_FACTS = (
    *_NODES,
    DocumentedField("measured_at", "string, UTC", "when it was measured"),
)
NETWORK = (
    ActionEntry(
        actions=("api:network:token",),
        title="A probe token was created",
        who="An operator.",
        recorded_when="The token was created. The token itself is in no record.",
        identifies="`link_id`; `target`: id of the token",
        values=Values.ADDED,
        facts=(*_NODES, DocumentedField("expires_at", "string, UTC", "when it expires")),
    ),
    ActionEntry(
        actions=("api:network:receive",),
        title="A signed network measurement was stored",
        who="A database host with a probe token; `actor` is `network-probe`.",
        recorded_when="The result was stored and the token was used up.",
        identifies="`link_id`; `target`: id of the measurement",
        values=Values.ADDED,
        facts=(*_FACTS, DocumentedField("created_by", "string", "who created the token")),
    ),
    ActionEntry(
        actions=("api:network:paste",),
        title="A pasted network measurement was stored",
        who="An operator.",
        recorded_when="The figures of the pasted output were stored. They are not signed.",
        identifies="`link_id`; `target`: id of the measurement",
        values=Values.ADDED,
        facts=_FACTS,
    ),
)
