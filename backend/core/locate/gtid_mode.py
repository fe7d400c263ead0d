"""Channels in GTID mode: the place proven by coordinates and content is turned into a GTID position.

The position set on the new replica is the new source's *own* GTID state at the proven end of group
(`BINLOG_GTID_POS`), in all domains: in the source cluster's domain it is the GTID of that group, and of
the receiving cluster's domain it names what the source holds of it. Anything newer there is refused by
the source (1236), and without it the source reads its logs from their beginning.

`gtid_slave_pos` is kept by every node of the receiving cluster. It is not believed, it is compared:
a DDL that fails on the replica moves it on the *other* nodes past an event nobody holds (experiment 12),
and one that the replica alone forgives leaves them without the group (seen on 10.11.19).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.model import GtidMode, Located
from backend.core.positions import MariadbGtid, MariadbGtidSet

CODE = "gtid_slave_pos_differs"


def with_gtid_position(located: Located, mode: GtidMode) -> Located:
    """Add the GTID position to a proven place, or refuse it by name; raises NodeError."""
    if not located.is_proven or located.position is None:
        return located
    text = mode.state_at(located.position)
    if text is None:
        return _refuse(located, f"{located.node} cannot tell its GTID state at {located.position}", None)
    state = MariadbGtidSet.parse(text)
    at = state.of_domain(mode.domain)
    last = located.source_groups[-1].gtid if located.source_groups else at
    if last != at:
        reason = (
            f"the group that ends at {located.position} carries GTID {last}, and {located.node} counts "
            f"domain {mode.domain} as {at or 'empty'} there: a node-local write, or numbers that went back"
        )
        return _refuse(located, reason, None)
    facts: dict[str, object] = {"resume": str(state), "domain": mode.domain}
    located = replace(located, facts={**located.facts, "gtid_position": str(state)})
    if isinstance(mode.slave_pos, str):
        return _with(located, Evidence(Family.GTID, None, mode.slave_pos, facts=facts))
    differing = _differing(mode.slave_pos, mode.domain, at)
    facts["gtid_slave_pos"] = dict(mode.slave_pos)
    if differing:
        return _refuse_differing(located, differing, at, facts)
    detail = (
        f"gtid_slave_pos of domain {mode.domain} is {at or 'empty'} on {', '.join(mode.slave_pos)}: "
        f"the end of the group found. {located.node} resumes from '{state}'."
    )
    return _with(located, Evidence(Family.GTID, True, detail, facts=facts))


def _differing(slave_pos: Mapping[str, str], domain: int, at: MariadbGtid | None) -> dict[str, str]:
    """Nodes whose own position of that domain is another one."""
    found = {name: MariadbGtidSet.parse(text).of_domain(domain) for name, text in slave_pos.items()}
    return {name: str(gtid or "empty") for name, gtid in found.items() if gtid != at}


def _refuse_differing(
    located: Located,
    differing: Mapping[str, str],
    at: MariadbGtid | None,
    facts: dict[str, object],
) -> Located:
    named = ", ".join(f"{name}: {gtid}" for name, gtid in differing.items())
    reason = (
        f"what {located.receiving} holds ends with GTID {at or 'none'}, and gtid_slave_pos stands elsewhere ({named}): "
        "a transaction failed there or was skipped, or somebody set it"
    )
    remedy = (
        f"Find the transaction that {located.receiving} lacks (a failed DDL, usually) and mend the data; "
        f"then SET GLOBAL gtid_slave_pos='{at or ''}' on {', '.join(differing)} (in strict mode with the own domain's "
        "GTID of its gtid_binlog_pos beside it)."
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
