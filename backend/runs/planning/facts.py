"""What a plan rests on, gathered from the servers, the journal and the console's own record; nothing is changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from django.db import close_old_connections

from backend.clusters.models import CredentialRole, Link
from backend.common.errors import invalid
from backend.core import probe
from backend.core.checks.context import CheckContext
from backend.core.checks.unknown_runs import ATTEST, check_unknown_runs, unknown_run_probes
from backend.core.facts.activity import NodeActivity, read_activity
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest, refuse_unreadable
from backend.core.locate.search_inputs import build_search
from backend.core.orphans.missing_groups import rows_as_left
from backend.core.orphans.rebuilt_side import RowSource, locate_rebuilt
from backend.core.plans.context import context_for
from backend.core.plans.failover import ObservedLoss
from backend.core.plans.target import TargetError, choose_pair
from backend.core.ports import Gateway, NodeError
from backend.core.probe import StoredProbe
from backend.core.topology import NodeFacts, Reach
from backend.gateway.connection.login import try_login
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import RebuiltRows
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import account_of
from backend.monitoring.loss import last_seen_of_active
from backend.runs.models import Run, RunState
from backend.runs.selectors import unknown_runs

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


def build_context(
    link: Link, facts: LinkFacts, gateway: NodeGateway, options: Mapping[str, Any], *, points: bool = True
) -> CheckContext:
    """What the checks look at; `points` tries the logins of channels that are pointed anew.

    Raises ProblemError (422) for a node that cannot be meant.
    """
    try:
        pair = choose_pair(facts, options.get("source_node"), options.get("replica_node"))
    except TargetError as error:
        raise invalid(f"options.{error.field}", str(error)) from error
    unfinished = Run.objects.filter(unfinished_link=link.id).exclude(state=RunState.NEEDS_OPERATOR.value)
    ctx = context_for(
        facts,
        pair,
        now_s=time.time(),
        attested_fenced=options.get("attest_fenced", ()),
        attested_path=bool(options.get("attest_site_path", False)),
        replication_logins=try_logins(link, gateway, (pair.active_node_id, pair.standby_node_id)) if points else {},
        unfinished_run_id=unfinished.values_list("pk", flat=True).first(),
        requires_approval=link.requires_approval,
    )
    return replace(
        ctx,
        attested_accounts=bool(options.get("attest_accounts", False)),
        attested_error_over=bool(options.get("attest_error_over", False)),
        accepts_loss=bool(options.get("accept_loss", False)),
        overrides_partition=bool(options.get("override_partition", False)),
        allows_long_transactions=bool(options.get("allow_long_transactions", False)),
        rejects_queries=bool(options.get("reject_queries", False)),
    )


def read_probes(link: LinkFacts, gateway: Gateway, since: datetime) -> dict[str, tuple[StoredProbe, ...] | str]:
    """What every node that answers holds of this link's probes, by its name; a sentence where it cannot be read.

    Those that other links left there after `since` too: another console may have registered the same clusters.
    """

    def query(facts: NodeFacts) -> tuple[StoredProbe, ...] | str:
        try:
            return probe.parse_stored_probes(
                gateway.reader(facts.node.id).query(probe.stored_probes_sql(link.id, since)), link.id
            )
        except NodeError as error:
            return error.message

    up = [facts for facts in link.nodes if facts.is_up]
    return dict(zip((facts.node.name for facts in up), _side_by_side(query, up), strict=True))


def why_not_probed(probes: Mapping[str, tuple[StoredProbe, ...] | str], options: Mapping[str, Any]) -> Finding | None:
    """A warning where probes cannot be read back: better known now than behind the point of no return."""
    if not options.get("probe", True):
        return Finding("not_probed", Severity.WARNING, "As asked, the move is not probed; the seam alone is compared.")
    for node, found in probes.items():
        if isinstance(found, str):
            return Finding(
                "not_probed",
                Severity.WARNING,
                f"The move will not be probed: hawser.probe cannot be read on {node} ({found}).",
                "Create the schema hawser by registering the link with create_probe, and grant the monitor "
                "account SELECT on hawser.*.",
                {"node": node},
            )
    return None


def record_finding(probes: Mapping[str, tuple[StoredProbe, ...] | str], options: Mapping[str, Any]) -> Finding | None:
    """Refuses where the servers know a run that the record does not."""
    seen = {one for found in probes.values() if not isinstance(found, str) for one in found}
    unknown = unknown_runs({one.run_id for one in seen})
    return check_unknown_runs(
        unknown_run_probes(seen, lambda run_id: run_id not in unknown), is_attested=bool(options.get(ATTEST, False))
    )


def _side_by_side(query: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
    """Every answer, in order: the other site may be far, and a new session alone is some five round trips."""
    with ThreadPoolExecutor(max_workers=max(1, len(asked))) as pool:
        return list(pool.map(query, asked))


def try_logins(link: Link, gateway: NodeGateway, node_ids: tuple[str, str]) -> dict[str, str | None]:
    """Log the replication account of each side in to the node that shall be its source."""
    accounts = [account_of(side, CredentialRole.REPLICATION) for side in (link.active_cluster, link.standby_cluster)]

    def query(pair: tuple[str, tuple[str, str]]) -> str | None:
        access, (user, password) = gateway.access(pair[0]), pair[1]
        return try_login(access.ref.name, replace(access.monitor, user=user, password=password))

    return dict(zip(node_ids, _side_by_side(query, list(zip(node_ids, accounts, strict=True))), strict=True))


def check_copied_accounts(facts: LinkFacts, gateway: NodeGateway) -> tuple[Finding, ...]:
    """A copied side carries the survivor's accounts: whose login it refuses, node by node; () where all work."""
    found = []
    for node in facts.standby.nodes:
        access = gateway.access(node.node.id)
        if node.reach is Reach.REFUSED:
            found.append(_refused_account(facts, node.node.name, "monitor", access.monitor.user, node.error))
        elif node.is_up and (error := try_login(node.node.name, access.operator)) is not None:
            found.append(_refused_account(facts, node.node.name, "operator", access.operator.user, error))
    return tuple(found)


def _refused_account(facts: LinkFacts, node: str, role: str, user: str, error: str) -> Finding:
    return Finding(
        "rebuilt_accounts_refused",
        Severity.BLOCKER,
        f"{node} refuses the {role} account {user} of {facts.standby.name} ({error}). A copy carries the accounts of "
        f"{facts.active.name}.",
        f"Create {user} as registered for {facts.standby.name}: on {facts.active.name} and copy again, or on {node} "
        "itself, unlogged (SET SESSION wsrep_on=OFF, sql_log_bin=OFF first): a copy that logs is no copy any more.",
        {"node": node, "role": role, "account": user},
    )


def replication_users(link: Link) -> dict[str, str]:
    """The account each cluster's channels log in with, by cluster id."""
    return {
        cluster.id: account_of(cluster, CredentialRole.REPLICATION)[0]
        for cluster in (link.active_cluster, link.standby_cluster)
    }


def locate_all(ctx: CheckContext, gateway: NodeGateway, asked: Sequence[LocateRequest]) -> tuple[Located, ...]:
    """Both directions side by side: each waits mostly for servers."""

    def one(question: LocateRequest) -> Located:
        try:
            return locate_direction(question, ctx.link, gateway, RebuiltRows(gateway))
        finally:
            close_old_connections()

    return tuple(_side_by_side(one, asked))


def locate_direction(question: LocateRequest, link: LinkFacts, gateway: Gateway, rows: RowSource) -> Located:
    """Locate one direction; a node that fails to answer refuses it by name.

    `rows` tell of a copied side, and of groups that the receiving log lacks.
    """
    started = time.monotonic()
    try:
        if question.backup is not None:
            located = locate_rebuilt(question, link, gateway, rows)
        else:
            replica_id = question.new_replica_id
            ask_rows = rows_as_left(rows, question.new_source_id, replica_id, link.node(replica_id).node.name)
            located = locate(replace(build_search(question, link, gateway, DbJournal()), rows_as_left=ask_rows))
    except NodeError as error:
        located = refuse_unreadable(question, link, str(error))
    elapsed_ms = round((time.monotonic() - started) * 1000, 1)
    return replace(located, facts={**located.facts, "elapsed_ms": elapsed_ms})


def read_activities(facts: LinkFacts, gateway: Gateway) -> dict[str, NodeActivity]:
    """What runs inside every node of the active side that answers, by node id; one that fails to is left out."""

    def query(node: NodeFacts) -> NodeActivity | None:
        try:
            return read_activity(gateway.reader(node.node.id))
        except NodeError:
            return None  # unknown: the check says so and refuses

    up = [node for node in facts.active.nodes if node.is_up]
    answers = zip(up, _side_by_side(query, up), strict=True)
    return {node.node.id: activity for node, activity in answers if activity is not None}


def observed_loss(link: Link, facts: LinkFacts) -> ObservedLoss:
    """What the monitor last saw of the active side that the standby had not applied."""
    journal, uuid = DbJournal(), facts.active.recorded_state_uuid or ""
    newest = [journal.checkpoint_at_age(node.node.id, uuid, 0) for node in facts.active.nodes]
    seqno = max((c.seqno for c in newest if c is not None), default=None)
    return replace(last_seen_of_active(link), last_seen_seqno=seqno)
