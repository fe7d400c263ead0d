"""Node maintenance: prepare the absence of one node, which an operator then stops and starts.

The run is short and ends when the node may be stopped: a run that waited for hours would hold the link's only run, and
with it an emergency. The absence is a record of its own, which the monitor watches and always closes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.adviser.node_absence.freeze import (
    NOT_FROZEN,
    OPTION,
    can_freeze,
    freeze_from,
    freeze_sql,
    unfreeze_sql,
)
from backend.core.adviser.node_absence.wording import duration
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.groups import NODE_CHECKS
from backend.core.checks.nodes import check_state_uuid
from backend.core.checks.run import Check
from backend.core.estimates import Unknown
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, is_refused
from backend.core.plan import Plan, Step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import Options, PlanFacts, PlanKind
from backend.core.plans.maintenance_findings import Absence, absence_findings
from backend.core.topology import NodeFacts

KIND = "node_maintenance"
LEAST_MINUTES, MOST_MINUTES, DEFAULT_MINUTES = 5, 24 * 60, 120

MAINTENANCE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    *NODE_CHECKS,
    check_state_uuid,
    check_approval,
)


def decide(ctx: CheckContext, findings: Sequence[Finding], absence: Absence, *, options: Mapping[str, Any]) -> Plan:
    """Turn facts and findings into a plan, ready or refused."""
    node, donor = absence.node, absence.donor
    everything = (*findings, *absence_findings(ctx.link, ctx.cluster_of(node), absence))
    is_ready = not is_refused(everything) and donor is not None
    ends = [node.node.id, *([donor.node.node.id] if donor else [])]
    return Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=f"Prepare the maintenance of {node.node.name}",
        findings=everything,
        positions=(),
        loss={
            "transactions": 0,
            "seconds": 0,
            "detail": f"The link replicates without {node.node.name}. Writes are not paused.",
        },
        steps=_steps(ctx, absence, donor.node) if is_ready and donor else (),
        fingerprint=fingerprint(ctx.link, ends),
        target={
            "source_node": node.node.id,
            "source_name": node.node.name,
            "replica_node": donor.node.node.id if donor else None,
            "replica_name": donor.node.node.name if donor else "",
        },
        options=dict(options),
        situation={
            "sentence": f"{node.node.name} is to be stopped and started by an operator.",
            "old_source_name": node.node.name,
            "old_replica_name": donor.node.node.name if donor else "",
            "lost": [],
        },
    )


def _steps(ctx: CheckContext, absence: Absence, donor: NodeFacts) -> tuple[Step, ...]:
    node, cluster, steps = absence.node, ctx.cluster_of(absence.node), StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    seqno = node.wsrep.last_committed if node.wsrep else 0
    freeze = freeze_from(donor, seqno) if can_freeze(donor) is True else None
    frozen = None if isinstance(freeze, Unknown) else freeze
    steps.add(
        "read_gcaches",
        f"Read what {node.node.name} applied and what the gcaches of {cluster.name} hold",
        node,
        cluster_id=cluster.id,
    )
    steps.add(
        "open_maintenance",
        f"Record the maintenance of {node.node.name}",
        maintained_node_id=node.node.id,
        donor_id=donor.node.id,
        members=node.wsrep.cluster_size if node.wsrep else 0,
        most_s=absence.most_s,
        freeze_seqno=frozen,
    )
    if frozen is None:
        steps.add("skip_freeze", f"{donor.node.name}: do not freeze the gcache, its provider cannot", donor)
    else:
        steps.add(
            "freeze_gcache",
            f"{donor.node.name}: keep the write-sets from seqno {frozen:,} on",
            donor,
            sql=(freeze_sql(frozen),),
            undo=(unfreeze_sql(),),
            variable=OPTION,
            wanted=str(frozen),
            was=NOT_FROZEN,
        )
    steps.add(
        "allow_stop",
        f"Let {node.node.name} be stopped; watch it for {duration(absence.most_s)} at most",
        node,
    )
    return tuple(steps.steps)


def _in_context(ctx: CheckContext, options: Options, facts: PlanFacts) -> CheckContext:
    """The node and its donor are the subjects."""
    absence = facts.absence(ctx.link, options)
    return replace(ctx, focus=(absence.node, *([absence.donor.node] if absence.donor else [])))


PLAN_KIND = PlanKind(
    kind=KIND,
    done="prepared the maintenance of a node of {link}",
    to_do="prepare the maintenance of a node of {link}",
    is_emergency=False,
    proves_continuity=True,
    checks=MAINTENANCE_CHECKS,
    decide=lambda given: decide(
        given.ctx, given.findings, given.facts.absence(given.ctx.link, given.options), options=given.options
    ),
    in_context=_in_context,
)
