"""Searches the nodes of a link and reads the rows of a transaction; both are recorded in the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.core.lookup.lookup import look_up
from backend.core.positions import FilePosition
from backend.gateway.transaction_lookup import Sample, node_search
from backend.gateway.transaction_rows import TransactionRows, read_transaction
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import gateway_for_link
from backend.transactions.lookup.presentation import shown_lookup
from backend.transactions.lookup.questions import CRITERIA, cursor_of, question_of


def transaction_lookup(*, actor: str, link: Link, given: Mapping[str, Any], source: str = "api") -> dict[str, Any]:
    """The whole answer as it is shown; nothing is changed on the servers."""
    asked = question_of(link, given)
    gateway = gateway_for_link(link)
    try:
        facts = gateway.observe_link()
        found = look_up(facts, asked, node_search(gateway, facts, _sample_before))
    finally:
        gateway.close()
    audit.record(
        actor=actor,
        action=f"{source}:lookup:search",
        link_id=link.id,
        target=link.id,
        facts={"criteria": _recorded(given), "transactions": len(found.transactions)},
    )
    return shown_lookup(facts, found, asked.limits, cursor_of(given, found.resume))


def transaction_rows(
    *, actor: str, link: Link, node: Node, begins: FilePosition, source: str = "api"
) -> TransactionRows:
    """The rows of the transaction that begins there; they are business data and are not recorded themselves."""
    gateway = gateway_for_link(link)
    try:
        found = read_transaction(gateway, gateway.observe_link(), node.pk, begins)
    finally:
        gateway.close()
    audit.record(
        actor=actor,
        action=f"{source}:lookup:rows",
        link_id=link.id,
        target=node.pk,
        facts={"position": str(begins), "rows": found.row_count, "tables": list(found.tables)},
    )
    return found


def _recorded(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked; of a statement's text only that it was: it may hold business data."""
    asked = {name: given[name] for name in (*CRITERIA, "position", "cluster", "node") if given.get(name)}
    return {name: "(given)" if name == "text" else str(value) for name, value in asked.items()}


def _sample_before(node_id: str, at_s: int) -> Sample | None:
    """From the position history, for a thread of a search: one that had no connection keeps none."""
    had_connection = connection.connection is not None
    try:
        sample = DbJournal().checkpoint_by(node_id, datetime.fromtimestamp(max(0, at_s), UTC))
    finally:
        if not had_connection:
            connection.close()
    return None if sample is None else (sample.position, int(sample.observed_at_s))
