"""What of a link is to be settled by a person: transactions not on both sides, and times with an unsafe setting."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.clusters.versions import check_not_retired
from backend.common.errors import conflict
from backend.common.events import services as events
from backend.core.plural import listed, pluralize
from backend.core.positions import FilePosition
from backend.core.stream_account import Fault, StreamAccount
from backend.core.topology import Direction
from backend.monitoring.link_roles import lock_link
from backend.monitoring.models import ChannelRecord, UnsafePeriod
from backend.monitoring.times import from_unix


@dataclass(frozen=True, slots=True)
class UnaccountedTransaction:
    """A transaction that does not stand on both sides."""

    fault: Annotated[
        Fault,
        "`missing`: the channel passed it and its replica lacks it; `filtered`: the same, while it had a filter; "
        "`extra`: its source did not send it",
    ]
    node_id: Annotated[str, "the node in whose log it stands"]
    node: Annotated[str, "the node's name"]
    gtid: Annotated[str, "as that log has it"]
    seqno: Annotated[int | None, "seqno of that node's cluster; null for DDL"]
    server_id: Annotated[int, "of the server that wrote it"]
    file: Annotated[str, "binary log"]
    position: Annotated[int, "where it begins"]
    end_position: Annotated[int, "where it ends"]
    tables: Annotated[
        tuple[str, ...],
        "DATABASE.TABLE of the rows that the other log has not, where it has the others; empty: it has none",
    ]
    found_at: Annotated[datetime, "when it was found"]


@dataclass(frozen=True, slots=True)
class DirectionAccount:
    """What is known of one direction."""

    since: Annotated[datetime | None, "from when on all was accounted for; null: unknown"]
    until: Annotated[datetime | None, "until when; null: unknown"]
    groups: Annotated[int, "transactions found on both sides in that time"]
    compared: Annotated[int, "of these, how many were compared with their rows"]
    transactions: Annotated[tuple[UnaccountedTransaction, ...], "those that are not, until they are settled"]
    more: Annotated[int, "further ones that are not listed"]


@dataclass(frozen=True, slots=True)
class UnsafeSetting:
    """A setting with which rows come to differ unseen, and when a node had it."""

    node_id: Annotated[str, "empty of transactions that went round between the sides"]
    node: Annotated[str, "the node's name"]
    variable: Annotated[
        str,
        "name of the setting; of a round `server_id`, which is the session's; of a log not read on `log behind`, of a "
        "table that is not the same everywhere `columns`, of rows that are not `rows`, of a column that each node "
        "filled for itself `DEFAULT`",
    ]
    value: Annotated[
        str,
        "as last seen; of a log not read on FILE:OFFSET, of `columns` the tables, of `rows` each with the GTID of the "
        "first such transaction, of `DEFAULT` the function",
    ]
    since: Annotated[datetime, "when it was first seen"]
    until: Annotated[datetime | None, "when it was seen to be right again; null: it is not, or unknown"]


@dataclass(frozen=True, slots=True)
class Unaccounted:
    """Both directions of a link, and what its nodes had set; all until it is settled."""

    forward: DirectionAccount
    reverse: DirectionAccount
    unsafe_settings: Annotated[tuple[UnsafeSetting, ...], "settings with which rows may have come to differ"]


def stream_accounts(link: Link) -> Unaccounted:
    """What is to be settled of a link, as last recorded."""
    rows = {row.direction: row for row in ChannelRecord.objects.filter(link=link)}
    names = dict(
        Node.objects.filter(cluster__in=(link.active_cluster_id, link.standby_cluster_id)).values_list("id", "name")
    )
    forward, reverse = (_shown(rows.get(one.value), names) for one in (Direction.FORWARD, Direction.REVERSE))
    unsafe = tuple(
        UnsafeSetting(one.node_id, one.node_name, one.variable, one.value, one.began_at, one.ended_at)
        for one in link.unsafe_periods.order_by("pk")
    )
    return Unaccounted(forward, reverse, unsafe)


def _shown(row: ChannelRecord | None, names: dict[str, str]) -> DirectionAccount:
    account = StreamAccount.from_json(None if row is None else row.account)
    listed = []
    for one in account.unaccounted:
        begins, ends = FilePosition.parse(one.begins), FilePosition.parse(one.ends)
        listed.append(
            UnaccountedTransaction(
                fault=one.fault,
                node_id=one.node_id,
                node=names.get(one.node_id, one.node_id),
                gtid=one.gtid,
                seqno=one.seqno,
                server_id=one.server_id,
                file=begins.file,
                position=begins.offset,
                end_position=ends.offset,
                tables=one.tables,
                found_at=from_unix(one.found_at_s),
            )
        )
    since, until = (None if at_s is None else from_unix(at_s) for at_s in (account.since_s, account.until_s))
    return DirectionAccount(since, until, account.groups, account.compared, tuple(listed), account.more)


@transaction.atomic
def transactions_settle(*, actor: str, link: Link, direction: str, gtids: Collection[str], reason: str) -> None:
    """A person states for a reason that these need nothing more; all of them or, where one is not named, none."""
    lock_link(link.pk)
    check_not_retired(link)
    row = ChannelRecord.objects.filter(link=link, direction=direction).first()
    account = StreamAccount.from_json(None if row is None else row.account)
    named = {one.gtid for one in account.unaccounted}
    strange = sorted(set(gtids) - named)
    if row is None or strange:
        raise conflict(
            "unaccounted_changed",
            f"{', '.join(strange) or direction} is not among the transactions that do not stand on both sides. Nothing "
            "was settled. Read the list again.",
        )
    settled = account.without(frozenset(gtids))
    row.account = settled.to_json()
    row.save(update_fields=["account"])
    audit.record(
        actor=actor,
        action="api:link:settle_transactions",
        link_id=link.pk,
        target=link.pk,
        facts={"direction": direction, "gtids": sorted(gtids), "reason": reason},
    )
    events.raised(
        link_id=link.pk,
        kind="channel.settled",
        severity="ok",
        message=f"{actor} settled {pluralize(len(set(gtids)), 'transaction')} of the {direction} channel: {reason}",
    )


@transaction.atomic
def unsafe_settings_settle(*, actor: str, link: Link, settings: Collection[Mapping[str, str]], reason: str) -> None:
    """A person states for a reason that the rows are as they should be; of all of these or, where one is not over or
    not listed, of none."""
    lock_link(link.pk)
    check_not_retired(link)
    named = {(one["node_id"], one["variable"]) for one in settings}
    rows = [one for one in link.unsafe_periods.order_by("pk") if (one.node_id, one.variable) in named]
    over = [one for one in rows if one.ended_at is not None]
    if len(over) < len(named):
        still = [f"{one.node_name} still has {one.variable}={one.value}, as far as is known" for one in rows]
        raise conflict(
            "unaccounted_changed",
            f"{', '.join(one for one, row in zip(still, rows, strict=True) if row.ended_at is None) or 'Not listed'}. "
            "Nothing was settled. Read the list again.",
        )
    told = [{"node": one.node_name, "variable": one.variable, "value": one.value} for one in over]
    UnsafePeriod.objects.filter(pk__in=[one.pk for one in over]).delete()
    audit.record(
        actor=actor,
        action="api:link:settle_unsafe_settings",
        link_id=link.pk,
        target=link.pk,
        facts={"settings": told, "reason": reason},
    )
    names = listed([f"{one['variable']}={one['value']} of {one['node']}" for one in told])
    events.raised(
        link_id=link.pk,
        kind="link.rows_settled",
        severity="ok",
        message=f"{actor} settled {names}: {reason}",
    )
