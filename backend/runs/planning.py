"""From a link as it stands now to a plan: reads servers and journal, changes nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from django.db import close_old_connections

from backend.clusters.models import CredentialRole, Link
from backend.common.errors import invalid
from backend.core import probe
from backend.core.checks.context import CheckContext
from backend.core.checks.registry import CLEAN_CHECKS, run_checks
from backend.core.findings import Finding, Severity, is_refused
from backend.core.fingerprint import changes, fingerprint
from backend.core.locate.assemble import Question, search_for, unreadable
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.plan import Plan as CorePlan
from backend.core.plans import clean, relocate
from backend.core.plans.context import context_for, questions
from backend.core.plans.hooks import with_hooks
from backend.core.plans.target import TargetError, choose_pair
from backend.core.ports import Gateway, NodeError
from backend.core.topology import Direction, LinkFacts
from backend.gateway.gateway import NodeGateway
from backend.gateway.login import try_login
from backend.hooks.selectors import planned_hooks
from backend.monitoring.journal import DbJournal
from backend.monitoring.shapes import account_of, gateway_for_link
from backend.runs.models import Plan, Run, RunState

EXPEL_WAIT_S = 8.0
"""Galera expels a silent member after evs.suspect_timeout, 5 s by default."""
JOURNAL_WAIT_S = 3.0
"""A link whose first transactions are a second old has no sample yet; the monitor's next one may prove it."""
KINDS = (relocate.KIND, clean.KIND)


def build_plan(*, link: Link, kind: str, reason: str, options: Mapping[str, Any], actor: str) -> CorePlan:
    """A plan of `kind`, ready or refused, with the link's webhooks among its steps.

    Raises ProblemError (422) for an option that means nothing.
    """
    return with_hooks(_build(link, kind, options), planned_hooks(link.id, kind))


def _build(link: Link, kind: str, options: Mapping[str, Any]) -> CorePlan:
    if kind not in KINDS:
        raise invalid("kind", f"{kind!r} is not a kind of plan; known are {', '.join(KINDS)}.")
    gateway = gateway_for_link(link)
    try:
        if kind == clean.KIND:
            ctx = _context(link, gateway.observe_link(), gateway, options)
            return clean.decide(ctx, run_checks(ctx, CLEAN_CHECKS), options)
        until = time.monotonic() + JOURNAL_WAIT_S
        while True:
            plan = _relocate(link, gateway, options)
            refusing = {finding.code for finding in plan.findings if finding.refuses}
            if refusing != {"position_not_proven"} or time.monotonic() > until:
                return plan
            time.sleep(0.7)
    finally:
        gateway.close()


def _relocate(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    ctx, findings = _checked(link, gateway, options)
    unprobed = _why_not_probed(ctx.link, gateway, options)
    if unprobed:
        findings, options = (*findings, unprobed), {**options, "probe": False}
    located = () if is_refused(findings) else _locate_all(ctx, gateway)
    return relocate.decide(ctx, findings, located, replication_users=_replication_users(link), options=options)


def _checked(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> tuple[CheckContext, tuple[Finding, ...]]:
    """Context and findings. A node that has just died is given the time its cluster takes to expel it."""
    until = time.monotonic() + EXPEL_WAIT_S
    while True:
        ctx = _context(link, gateway.observe_link(), gateway, options)
        findings = run_checks(ctx)
        refusing = {finding.code for finding in findings if finding.refuses}
        if refusing != {"unseen_node_may_run"} or time.monotonic() > until:
            return ctx, findings
        time.sleep(0.3)


def _context(link: Link, facts: LinkFacts, gateway: NodeGateway, options: Mapping[str, Any]) -> CheckContext:
    try:
        pair = choose_pair(facts, options.get("source_node"), options.get("replica_node"))
    except TargetError as error:
        raise invalid(f"options.{error.field}", str(error)) from error
    unfinished = Run.objects.filter(unfinished_link=link.id).exclude(state=RunState.NEEDS_OPERATOR.value)
    return context_for(
        facts,
        pair,
        now_s=time.time(),
        attested_fenced=options.get("attest_fenced", ()),
        attested_path=bool(options.get("attest_path", False)),
        replication_logins=_try_logins(link, gateway, (pair.active_node_id, pair.standby_node_id)),
        unfinished_run_id=unfinished.values_list("pk", flat=True).first(),
        requires_approval=link.requires_approval,
    )


def _why_not_probed(link: LinkFacts, gateway: Gateway, options: Mapping[str, Any]) -> Finding | None:
    """A warning where probes cannot be read back: better known now than behind the point of no return."""
    if not options.get("probe", True):
        return Finding("not_probed", Severity.WARNING, "As asked, the move is not probed; the seam alone is compared.")
    for node in (facts.node for facts in link.nodes if facts.is_up):
        try:
            gateway.reader(node.id).query(probe.read_sql(link.id, Direction.FORWARD))
        except NodeError as error:
            return Finding(
                "not_probed",
                Severity.WARNING,
                f"The move will not be probed: hawser.probe cannot be read on {node.name} ({error.message}).",
                "Create the schema hawser by registering the link with create_probe, and grant the monitor "
                "account SELECT on hawser.*.",
                {"node": node.name},
            )
    return None


def _try_logins(link: Link, gateway: NodeGateway, node_ids: tuple[str, str]) -> dict[str, str | None]:
    """Log the replication account of each side in to the node that shall be its source."""
    found: dict[str, str | None] = {}
    for cluster, node_id in zip((link.active_cluster, link.standby_cluster), node_ids, strict=True):
        user, password = account_of(cluster, CredentialRole.REPLICATION)
        endpoint = replace(gateway.access(node_id).monitor, user=user, password=password)
        found[node_id] = try_login(gateway.access(node_id).ref.name, endpoint)
    return found


def _replication_users(link: Link) -> dict[str, str]:
    return {
        cluster.id: account_of(cluster, CredentialRole.REPLICATION)[0]
        for cluster in (link.active_cluster, link.standby_cluster)
    }


def _locate_all(ctx: CheckContext, gateway: Gateway) -> tuple[Located, ...]:
    """Both directions side by side: each waits mostly for servers."""

    def one(question: Question) -> Located:
        try:
            return locate_now(question, ctx.link, gateway)
        finally:
            close_old_connections()

    with ThreadPoolExecutor(max_workers=2) as pool:
        return tuple(pool.map(one, questions(ctx.moves)))


def locate_now(question: Question, link: LinkFacts, gateway: Gateway) -> Located:
    """Locate one direction; a node that fails to answer refuses it by name."""
    started = time.monotonic()
    try:
        located = locate(search_for(question, link, gateway, DbJournal()))
    except NodeError as error:
        located = unreadable(question, link, str(error))
    elapsed_ms = round((time.monotonic() - started) * 1000, 1)
    return replace(located, facts={**located.facts, "elapsed_ms": elapsed_ms})


def fact_changes(plan: Plan) -> list[dict[str, Any]]:
    """Facts the plan rests on that are not so any more; [] where all hold."""
    gateway = gateway_for_link(plan.link)
    try:
        facts = gateway.observe_link()
    finally:
        gateway.close()
    planned = plan.body["fingerprint"]
    return changes(planned, fingerprint(facts, planned["nodes"]))
