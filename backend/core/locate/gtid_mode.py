"""Channels in GTID mode: a binlog position proven by coordinates and content is converted to a GTID position.

The position set on the new replica is the new source's *own* GTID state at the proven end of group
(`BINLOG_GTID_POS`), in all domains: in the source cluster's domain it is the GTID of that group, and in
the receiving cluster's domain it names what the source has of it. The source refuses anything newer there
(1236), and without it the source reads its logs from their beginning.

Every node of the receiving cluster stores `gtid_slave_pos`. It is not trusted, it is compared:
a DDL that fails on the replica moves it on the *other* nodes past an event that no node has (experiment 12),
and one that the replica alone ignores leaves them without the group (observed on MariaDB 10.11.19).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.model import GtidMode, Located
from backend.core.positions import MariadbGtid, MariadbGtidSet

CODE = "gtid_slave_pos_differs"


def with_gtid_position(located: Located, mode: GtidMode) -> Located:
    """Add the GTID position to a proven binlog position, or refuse it by name; raises NodeError."""
    if not located.is_proven or located.position is None:
        return located
    text = mode.state_at(located.position)
    if text is None:
        return _refuse(located, f"The GTID state of {located.node} at {located.position} is unknown.", None)
    state = MariadbGtidSet.parse(text)
    at = state.of_domain(mode.domain)
    last = located.source_groups[-1].gtid if located.source_groups else at
    if last != at:
        reason = (
            f"The transaction that ends at {located.position} has GTID {last}, but the state of domain {mode.domain} "
            f"on {located.node} is {at or 'empty'} there. It is a node-local write, or GTIDs went back."
        )
        return _refuse(located, reason, None)
    facts: dict[str, object] = {"resume": str(state), "domain": mode.domain}
    located = replace(located, facts={**located.facts, "gtid_position": str(state)})
    if isinstance(mode.slave_pos, str):
        return _with(located, Evidence(Family.GTID, None, mode.slave_pos, facts=facts))
    positions = mode.slave_pos(at)
    facts["gtid_slave_pos"] = dict(positions)
    differing = _differing(positions, mode.domain, at)
    if differing:
        return _refuse_differing(located, differing, at, facts)
    behind = _behind_of_a_third(positions, state, mode)
    if behind:
        return _refuse_behind(located, behind, facts)
    detail = (
        f"gtid_slave_pos of domain {mode.domain} is {at or 'empty'} on {', '.join(positions)}, the end of the "
        f"transaction found. Replication from {located.node} resumes at '{state}'."
    )
    return _with(located, Evidence(Family.GTID, True, detail, facts=facts))


def _differing(slave_pos: Mapping[str, str], domain: int, at: MariadbGtid | None) -> dict[str, str]:
    """Nodes whose own position in that domain differs."""
    found = {name: MariadbGtidSet.parse(text).of_domain(domain) for name, text in slave_pos.items()}
    return {name: str(gtid or "empty") for name, gtid in found.items() if gtid != at}


def _behind_of_a_third(slave_pos: Mapping[str, str], state: MariadbGtidSet, mode: GtidMode) -> dict[str, MariadbGtid]:
    """Nodes that lack a GTID of a third server which the source's state names as sent.

    Parallel appliers run domains independently: the place by file and offset was already at the end while a transaction
    of another domain waited for a row lock (10.11.19).
    """
    found: dict[str, MariadbGtid] = {}
    for name, text in slave_pos.items():
        held = MariadbGtidSet.parse(text)
        for gtid in state:
            own = held.of_domain(gtid.domain)
            is_of_third = gtid.domain != mode.domain and gtid.server_id not in mode.not_third
            if is_of_third and (own is None or own.seq_no < gtid.seq_no):
                found[name] = gtid
    return found


def _refuse_behind(located: Located, behind: Mapping[str, MariadbGtid], facts: dict[str, object]) -> Located:
    named = ", ".join(f"{gtid} on {name}" for name, gtid in behind.items())
    reason = (
        f"{located.receiving} has the last transaction of the source's own domain and lacks one of a third server that "
        f"{located.node} logged before it ({named}): domains are applied independently of each other."
    )
    remedy = (
        f"Read the transactions of that domain up to this GTID from the binary log of {located.node}, execute them on "
        f"{located.receiving}, and set their domain in gtid_slave_pos of {', '.join(behind)} to it. Then plan again."
    )
    return _refuse(located, reason, remedy, facts)


def _refuse_differing(
    located: Located,
    differing: Mapping[str, str],
    at: MariadbGtid | None,
    facts: dict[str, object],
) -> Located:
    named = ", ".join(f"{name}: {gtid}" for name, gtid in differing.items())
    reason = (
        f"The last transaction that {located.receiving} has is GTID {at or 'none'}, but gtid_slave_pos differs "
        f"({named}). A transaction failed or was skipped there, gtid_slave_pos was set by hand, or it names an ALTER "
        "of which only the first half has arrived (binlog_alter_two_phase)."
    )
    remedy = (
        f"Find the transaction that {located.receiving} lacks (usually a failed DDL) and fix the data; an ALTER that "
        "has only begun needs no fixing, it is executed again. Then stop the channel and run "
        f"SET GLOBAL gtid_slave_pos='{at or ''}' on {', '.join(differing)}. In strict mode, add the own domain's GTID "
        "from its gtid_binlog_pos. Where the statement waits for a lock (error 1205), an applier of the node holds it "
        "since such an ALTER: restart the node, and run it again."
    )
    return _refuse(located, reason, remedy, facts)


def _refuse(located: Located, reason: str, remedy: str | None, facts: Mapping[str, object] | None = None) -> Located:
    evidence = Evidence(Family.GTID, False, reason, facts=facts or {})
    more = {"code": CODE} | ({"remedy": remedy} if remedy else {})
    return replace(
        _with(located, evidence),
        is_proven=False,
        reasons=(f"Evidence disagrees: {reason}",),
        facts={**located.facts, **more},
    )


def _with(located: Located, evidence: Evidence) -> Located:
    return replace(located, evidence=(*located.evidence, evidence))
