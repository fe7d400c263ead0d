"""Transactions of a link that do not stand on both sides, and their settlement by a person."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.clusters.versions import check_not_retired
from backend.common.errors import conflict
from backend.common.events import services as events
from backend.core.plural import pluralize
from backend.core.positions import FilePosition
from backend.core.stream_account import StreamAccount
from backend.core.topology import Direction
from backend.monitoring.link_roles import lock_link
from backend.monitoring.models import ChannelRecord
from backend.monitoring.times import from_unix


@dataclass(frozen=True, slots=True)
class UnaccountedTransaction:
    """One transaction; `node` is that in whose log it stands, from `position` to `end_position` of `file`.

    `tables`: those without which the other log has it; none where it does not have it at all.
    """

    fault: str
    node_id: str
    node: str
    gtid: str
    seqno: int | None
    server_id: int
    file: str
    position: int
    end_position: int
    tables: tuple[str, ...]
    found_at: datetime


@dataclass(frozen=True, slots=True)
class DirectionAccount:
    """From `since` to `until` all that the channel passed stands on both sides, `groups` transactions, but for these.

    None where nothing is known yet. `more`: so many are not listed.
    """

    since: datetime | None
    until: datetime | None
    groups: int
    transactions: tuple[UnaccountedTransaction, ...]
    more: int


def stream_accounts(link: Link) -> dict[str, DirectionAccount]:
    """By direction."""
    rows = {row.direction: row for row in ChannelRecord.objects.filter(link=link)}
    names = dict(
        Node.objects.filter(cluster__in=(link.active_cluster_id, link.standby_cluster_id)).values_list("id", "name")
    )
    return {word: _shown(rows.get(word), names) for word in (one.value for one in Direction)}


def _shown(row: ChannelRecord | None, names: dict[str, str]) -> DirectionAccount:
    account = StreamAccount.from_json(None if row is None else row.account)
    listed = []
    for one in account.unaccounted:
        begins, ends = FilePosition.parse(one.begins), FilePosition.parse(one.ends)
        listed.append(
            UnaccountedTransaction(
                fault=one.fault.value,
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
    return DirectionAccount(since, until, account.groups, tuple(listed), account.more)


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
