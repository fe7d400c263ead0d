"""Collects the facts of a plan from the servers, the journal and the console's database; nothing is changed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import close_old_connections

from backend.clusters.models import CredentialRole, Link
from backend.core import probe
from backend.core.checks.context import CheckContext, Move
from backend.core.checks.unknown_runs import ATTEST, check_unknown_runs, unknown_run_probes
from backend.core.dialects.galera import FILTERS
from backend.core.equal_data.held import holds_less, sizes_of
from backend.core.facts.activity import NodeActivity, read_activity
from backend.core.facts.channel_filters import filter_against, filters_of
from backend.core.facts.events import read_events
from backend.core.facts.state_uuid import is_another_history
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
from backend.core.plans.target import choose_pair
from backend.core.ports import Gateway, NodeError
from backend.core.probe import StoredProbe
from backend.core.topology import NodeEvent, NodeFacts, Reach
from backend.gateway.connection.login import try_login
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import RebuiltRows
from backend.gateway.parallel_reads import side_by_side
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import account_of
from backend.monitoring.loss import last_seen_of_active
from backend.operations.runs import states
from backend.operations.runs.models import Run
from backend.operations.runs.planning.privileges import semi_sync_privileges
from backend.operations.runs.selectors import unknown_runs


def build_context(
    link: Link, facts: LinkFacts, gateway: NodeGateway, options: Mapping[str, Any], *, points: bool = True
) -> CheckContext:
    """The facts that the checks use; `points` tries the logins of channels that get a new source.

    Raises TargetError for a node that does not fit.
    """
    pair = choose_pair(facts, options.get("source_node"), options.get("replica_node"))
    unfinished = Run.objects.filter(unfinished_link=link.id).only("state", "facts", "epoch").first()
    ctx = context_for(
        facts,
        pair,
        now_s=time.time(),
        attested_fenced=options.get("attest_fenced", ()),
        attested_path=bool(options.get("attest_site_path", False)),
        replication_logins=try_logins(link, gateway, (pair.active_node_id, pair.standby_node_id)) if points else {},
        may_set_semi_sync=semi_sync_privileges(facts, gateway),
        unfinished_run_id=None if unfinished is None or states.may_be_superseded(unfinished) else unfinished.pk,
        requires_approval=link.requires_approval,
    )
    return replace(
        ctx,
        attested_accounts=bool(options.get("attest_accounts", False)),
        attested_error_over=bool(options.get("attest_error_over", False)),
        attested_origins=bool(options.get("attest_origins", False)),
        accepts_loss=bool(options.get("accept_loss", False)),
        overrides_partition=bool(options.get("override_partition", False)),
        allows_long_transactions=bool(options.get("allow_long_transactions", False)),
        rejects_queries=bool(options.get("reject_queries", False)),
        events_choice=str(options.get("events", "")),
    )


def read_probes(link: LinkFacts, gateway: Gateway, since: datetime) -> dict[str, tuple[StoredProbe, ...] | str]:
    """This link's probes on every node that responds, by its name; a sentence if they cannot be read.

    Also the probes that other links wrote there after `since`: another console may have registered the same clusters.
    """

    def query(facts: NodeFacts) -> tuple[StoredProbe, ...] | str:
        try:
            return probe.parse_stored_probes(
                gateway.reader(facts.node.id).query(probe.stored_probes_sql(link.id, since)), link.id
            )
        except NodeError as error:
            return error.message

    up = [facts for facts in link.nodes if facts.is_up]
    return dict(zip((facts.node.name for facts in up), side_by_side(query, up), strict=True))


def why_not_probed(
    probes: Mapping[str, tuple[StoredProbe, ...] | str], options: Mapping[str, Any], moves: Sequence[Move] = ()
) -> Finding | None:
    """A warning if probes would not arrive or be read: better in the plan than after the point of no return."""
    if not options.get("probe", True):
        return Finding(
            "not_probed", Severity.WARNING, "The move is not probed, as requested. Only the continuity check is made."
        )
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
    return next((filtered for move in moves if (filtered := _filtered_probe(move))), None)


def _filtered_probe(move: Move) -> Finding | None:
    """The filters of the node, and those that a channel that stays there has of its own."""
    name = move.replica.node.name
    stays = move.holder is not None and move.holder.replica.node.id == move.replica.node.id
    of_node = {one: value for one in FILTERS if (value := move.replica.variable(one))}
    of_channel = filters_of(move.channel.options) if stays and move.channel else {}
    variable = filter_against(f"{probe.SCHEMA}.probe", of_node | of_channel)
    if variable is None:
        return None
    return Finding(
        "not_probed",
        Severity.WARNING,
        f"The move will not be probed: {variable} of {name} leaves out hawser.probe.",
        f"Let the filters of {name} and of each node of its cluster pass the schema hawser.",
        {"node": name, "variable": variable},
    )


def record_finding(probes: Mapping[str, tuple[StoredProbe, ...] | str], options: Mapping[str, Any]) -> Finding | None:
    """Refuse if the servers know a run that the console's database does not."""
    seen = {one for found in probes.values() if not isinstance(found, str) for one in found}
    unknown = unknown_runs({one.run_id for one in seen})
    return check_unknown_runs(
        unknown_run_probes(seen, lambda run_id: run_id not in unknown), is_attested=bool(options.get(ATTEST, False))
    )


def try_logins(link: Link, gateway: NodeGateway, node_ids: tuple[str, str]) -> dict[str, str | None]:
    """Log the replication account of each side in to the node that will be its source."""
    accounts = [account_of(side, CredentialRole.REPLICATION) for side in (link.active_cluster, link.standby_cluster)]

    def query(pair: tuple[str, tuple[str, str]]) -> str | None:
        access, (user, password) = gateway.access(pair[0]), pair[1]
        return try_login(access.ref.name, replace(access.monitor, user=user, password=password))

    return dict(zip(node_ids, side_by_side(query, list(zip(node_ids, accounts, strict=True))), strict=True))


def check_copied_accounts(facts: LinkFacts, gateway: NodeGateway) -> tuple[Finding, ...]:
    """The accounts that a rebuilt side refuses, node by node: it has the survivor's accounts. () if all work."""
    found = []
    for node in facts.standby.nodes:
        access = gateway.access(node.node.id)
        if node.reach is Reach.REFUSED:
            found.append(_refused_account(facts, node.node.name, "monitor", access.monitor.user, node.error))
        elif node.is_up and (error := try_login(node.node.name, access.operator)) is not None:
            found.append(_refused_account(facts, node.node.name, "operator", access.operator.user, error))
    return tuple(found)


def held_data_findings(ctx: CheckContext, gateway: NodeGateway) -> tuple[Finding, ...]:
    """Whether a side that was bootstrapped again holds what the other one has of it; unknown where it is not read."""
    found = []
    for move in ctx.moves:
        if not is_another_history(ctx.link.source_cluster(move.direction)):
            continue
        source, replica = move.source.node, move.replica.node
        try:
            held, wanted = (sizes_of(gateway.reader(node.id)) for node in (source, replica))
        except NodeError as error:
            found.append(
                Finding(
                    "side_contents_unknown",
                    Severity.UNKNOWN,
                    f"What {source.name} and {replica.name} hold could not be read: {error}.",
                    "Plan again once both nodes respond.",
                )
            )
            continue
        names = ctx.link.source_cluster(move.direction).name, ctx.link.receiving_cluster(move.direction).name
        less = holds_less(names[0], held, names[1], wanted)
        found += [less] if less else []
    return tuple(found)


def _refused_account(facts: LinkFacts, node: str, role: str, user: str, error: str) -> Finding:
    return Finding(
        "rebuilt_accounts_refused",
        Severity.BLOCKER,
        f"{node} refuses the {role} account {user} of {facts.standby.name} ({error}). The rebuilt side "
        f"has the accounts of {facts.active.name}.",
        f"Create {user} as registered for {facts.standby.name} in one of two ways. On "
        f"{facts.active.name}, then rebuild again. Or on {node} itself, after SET SESSION "
        "wsrep_on=OFF, sql_log_bin=OFF: a rebuilt side must not log writes of its own.",
        {"node": node, "role": role, "account": user},
    )


def replication_users(link: Link) -> dict[str, str]:
    """The account with which each cluster's channels log in, by cluster id."""
    return {
        cluster.id: account_of(cluster, CredentialRole.REPLICATION)[0]
        for cluster in (link.active_cluster, link.standby_cluster)
    }


def locate_all(ctx: CheckContext, gateway: NodeGateway, asked: Sequence[LocateRequest]) -> tuple[Located, ...]:
    """Both directions in parallel: each mostly waits for servers."""

    def one(question: LocateRequest) -> Located:
        try:
            return locate_direction(question, ctx.link, gateway, RebuiltRows(gateway))
        finally:
            close_old_connections()

    return tuple(side_by_side(one, asked))


def locate_direction(question: LocateRequest, link: LinkFacts, gateway: Gateway, rows: RowSource) -> Located:
    """Locate one direction; a node that does not respond refuses it by name.

    `rows` are those of a rebuilt side, and those of groups that the receiving log lacks.
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
    """What is in progress on every responding node of the active side, by node id; a node that fails is left out."""

    def query(node: NodeFacts) -> NodeActivity | None:
        try:
            return read_activity(gateway.reader(node.node.id))
        except NodeError:
            return None  # unknown: the check reports it and refuses

    up = [node for node in facts.active.nodes if node.is_up]
    answers = zip(up, side_by_side(query, up), strict=True)
    return {node.node.id: activity for node, activity in answers if activity is not None}


def read_all_events(facts: LinkFacts, gateway: Gateway) -> dict[str, tuple[NodeEvent, ...]]:
    """The events of every node that answers, by node id; of one that does not show them there are none."""

    def query(node: NodeFacts) -> tuple[NodeEvent, ...] | None:
        try:
            return read_events(gateway.reader(node.node.id))
        except NodeError:
            return None  # unknown: the check says so

    up = [node for node in facts.nodes if node.is_up]
    answers = zip(up, side_by_side(query, up), strict=True)
    return {node.node.id: events for node, events in answers if events is not None}


def observed_loss(link: Link, facts: LinkFacts) -> ObservedLoss:
    """What the standby had not applied at the monitor's last observation of the active side."""
    journal, uuid = DbJournal(), facts.active.recorded_state_uuid or ""
    newest = [journal.checkpoint_at_age(node.node.id, uuid, 0) for node in facts.active.nodes]
    seqno = max((c.seqno for c in newest if c is not None), default=None)
    return replace(last_seen_of_active(link), last_seen_seqno=seqno)
