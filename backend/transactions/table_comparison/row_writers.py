"""Tells by the logs of both nodes who changed a row that differs last, and on which node that was not logged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from backend.audit import services as audit
from backend.common.errors import not_found
from backend.core.link_facts import LinkFacts
from backend.core.orphans.serialization import image_from_json, shape_from_json
from backend.core.ports import NodeError
from backend.core.table_comparison.row_history import LoggedChange, Row, RowHistory
from backend.core.table_comparison.statements import key_columns
from backend.gateway.gateway import NodeGateway
from backend.gateway.row_history import read_row_history
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import gateway_for_link
from backend.transactions.table_comparison import models, outputs

_SENTENCES: Mapping[bool | None, str] = {
    True: "The row was found as the log has it.",
    False: "No transaction in this node's log left the row as it was found. It was changed by what is not logged as "
    "rows: a session with sql_log_bin=0 or wsrep_on=OFF, or a cascade of a foreign key.",
    None: "Unknown: {why}.",
}
"""By whether the row is as the log has it."""


def difference_get(comparison: models.TableComparison, difference_id: int) -> models.RowDifference:
    """A row that differs, and that a key names; 404 where there is none."""
    rows = models.RowDifference.objects.filter(table__comparison=comparison, key__isnull=False)
    found = rows.select_related("table").filter(pk=difference_id).first()
    if found is None:
        raise not_found("row with a key")
    return found


@dataclass(frozen=True, slots=True)
class _Row:
    """A row as the comparison found it on one node; `found` is None where it was not there.

    `is_known`: whether that is known; a row may have gone before its values were read.
    """

    node_id: str
    table: str
    key: Row
    found: Row | None
    is_known: bool


def row_writers(
    *, actor: str, comparison: models.TableComparison, difference: models.RowDifference, hours: int
) -> outputs.RowWriters:
    """What the logs of the reference and of the node tell; no values, and nothing is changed on the servers."""
    gateway = gateway_for_link(comparison.link)
    try:
        link = gateway.observe_link()
        before = difference.found_at - timedelta(hours=hours)
        told = [_told(gateway, link, row, before) for row in _rows(comparison, difference)]
    finally:
        gateway.close()
    audit.record(
        actor=actor,
        action="api:table_comparison:writers",
        link_id=comparison.link_id,
        target=comparison.pk,
        facts={"table": difference.table.name, "difference": difference.pk, "hours": hours},
    )
    return outputs.RowWriters(told)


def _rows(comparison: models.TableComparison, difference: models.RowDifference) -> Iterator[_Row]:
    shape = shape_from_json(difference.table.shape)
    names, cells = [column.name for column in key_columns(shape)], image_from_json(difference.key) or ()
    key = dict(zip(names, cells, strict=True))
    sides = ((comparison.node_ids[0], difference.reference, "extra"), (difference.node_id, difference.held, "missing"))
    for node_id, stored, apart_without in sides:
        image = image_from_json(stored)
        pairs = zip(shape.columns, image or (), strict=image is not None)
        found = {column.name: cell for column, cell in pairs if not shape.is_derived(column)}
        is_absent = difference.apart == apart_without
        yield _Row(node_id, shape.name, key, found if image is not None else None, image is not None or is_absent)


def _told(gateway: NodeGateway, link: LinkFacts, row: _Row, before: datetime) -> outputs.RowWriter:
    name = next((node.node.name for node in link.nodes if node.node.id == row.node_id), "")
    since = DbJournal().checkpoint_by(row.node_id, before) or DbJournal().earliest(row.node_id)
    if not name or since is None:
        return _unknown(row.node_id, name, None, "the console has no place in this node's log")
    since_at = datetime.fromtimestamp(since.observed_at_s, UTC)
    try:
        history = read_row_history(gateway, row.node_id, row.table, row.key, row.found, since.position)
    except NodeError as error:
        return _unknown(row.node_id, name, since_at, str(error))
    if not row.is_known:
        history = replace(history, writer=None, was_before=False, unread="the row was gone when its values were read")
    return outputs.RowWriter(
        node_id=row.node_id,
        node=name,
        since=since_at,
        changes=history.changes,
        is_as_logged=history.is_as_logged,
        sentence=_sentence(history, since_at),
        last=_change(link, history.last),
        writer=_change(link, history.writer),
    )


def _sentence(history: RowHistory, since: datetime) -> str:
    why = history.unread or f"no transaction in this node's log since {since:%Y-%m-%d %H:%M:%S} UTC changed the row"
    return _SENTENCES[history.is_as_logged].format(why=why)


def _unknown(node_id: str, name: str, since: datetime | None, why: str) -> outputs.RowWriter:
    return outputs.RowWriter(node_id, name, since, 0, None, _SENTENCES[None].format(why=why), None, None)


def _change(link: LinkFacts, change: LoggedChange | None) -> outputs.LoggedRowChange | None:
    if change is None:
        return None
    return outputs.LoggedRowChange(
        at=datetime.fromtimestamp(change.at_s, UTC),
        operation=change.operation.value,
        gtid=change.gtid,
        server_id=change.server_id,
        written_on=[node.node.name for node in link.nodes if node.variable("server_id") == str(change.server_id)],
        file=change.within.file,
        position=change.within.offset,
    )
