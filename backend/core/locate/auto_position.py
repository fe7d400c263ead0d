"""Channels with SOURCE_AUTO_POSITION=1: the sets of GTIDs beside a position that was proven by the logs.

The server asks for no position: it sends its gtid_executed. So two independent ways say what the new source will send,
the position at which the last applied transactions end in its log, and the sets. They must agree: what ends at the
position is among the executed, what follows is not, and it is what the sets miss.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from backend.core.binlog.groups import Group
from backend.core.binlog.window import Window
from backend.core.gtid_sets import MysqlGtid
from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.executed_sets import AutoPosition, ExecutedSets, SetCode, SetDecision, decide
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import Located
from backend.core.positions import PositionError

_REMEDY = "Compare the data of both sides before you move the channel, or choose another source node."


def with_executed_sets(located: Located, found: AutoPosition) -> Located:
    """Add what the sets say; refuse a proven position that they do not corroborate.

    They are shown beside a position that is not proven, too, and then prove nothing alone.
    """
    decision = decide(found.sets)
    facts = _facts(found.sets, decision)
    if decision.code is not SetCode.SERVED:
        agrees = None if decision.code is SetCode.UNKNOWN else False
        evidence = Evidence(Family.GTID_SET, agrees, decision.sentence, facts=facts)
        return _refuse(located, evidence, decision.code, decision.remedy)
    against = _contradiction(located, found, decision) if located.is_proven else None
    if against is not None:
        evidence = Evidence(Family.GTID_SET, False, against, facts=facts)
        return _refuse(located, evidence, SetCode.DIFFERS, _REMEDY)
    note = " It is compared with the position again once the channel has stopped." if found.is_moving else ""
    evidence = Evidence(Family.GTID_SET, True, decision.sentence + note, facts=facts)
    retained = {"gap_transactions": decision.gap_transactions, "executed": _of_others(found.sets)}
    return replace(located, evidence=(*located.evidence, evidence), facts={**located.facts, "gtid_set": retained})


def gtid_text_evidence(window: Window, applied: LastApplied, node: str) -> Evidence:
    """Search the window for the GTID of the last applied transaction: it is the same on every server.

    The earlier ones of its origin are compared, too, as numbers that a cluster assigns are (`gtid_evidence`).
    """
    texts = [group.gtid_text for group in applied.groups]
    last = _parsed(texts[-1]) if texts else None
    if last is None:
        return Evidence(Family.GTID, None, "The last applied transaction has no GTID.")
    sent = [group.gtid_text for group in window.stream]
    indexes = [index for index, text in enumerate(sent) if text == texts[-1]]
    if len(indexes) != 1:
        found = f"occurs {len(indexes)} times in" if indexes else "does not occur in the searched part of"
        return Evidence(Family.GTID, False, f"GTID {last} {found} {node}'s binlog.")
    earlier = zip(_of_source(texts, last), _of_source(sent[: indexes[0] + 1], last), strict=False)
    strange = next((one for one, other in earlier if one != other), None)
    if strange is not None:
        detail = f"GTID {strange} was applied before {last}, but {node}'s binlog has another order."
        return Evidence(Family.GTID, False, detail)
    return Evidence(
        Family.GTID,
        True,
        f"The last applied transaction has GTID {last}. The same GTID occurs once in {node}'s binlog.",
        index=indexes[0],
        facts={"gtid": str(last)},
    )


def _of_source(texts: Iterable[str], like: MysqlGtid) -> list[MysqlGtid]:
    """Those of the same UUID and tag, the last first."""
    parsed = filter(None, map(_parsed, texts))
    return [gtid for gtid in parsed if (gtid.uuid, gtid.tag) == (like.uuid, like.tag)][::-1]


def _parsed(text: str) -> MysqlGtid | None:
    try:
        return MysqlGtid.parse(text)
    except PositionError:
        return None


def _contradiction(located: Located, found: AutoPosition, decision: SetDecision) -> str | None:
    """Why the sets and the position do not name the same place; None where they do.

    While the channel still applied, what follows the position may have been executed since, so only the past counts.
    """
    replica = found.sets.replica
    applied = (found.sets.applied or {})[replica]
    before, after = (_gtids(groups) for groups in (located.source_groups, located.next_groups))
    if before is None or after is None:
        return f"A transaction at {located.position} of {located.node} has no GTID."
    lacking = [gtid for gtid in before if not applied.holds(gtid)]
    if lacking:
        return f"{lacking[-1]} ends at or before {located.position} of {located.node}, but {replica} lacks it."
    if found.is_moving:
        return None
    executed = [gtid for gtid in after if applied.holds(gtid)]
    if executed:
        return f"{executed[0]} follows {located.position} of {located.node}, but {replica} has executed it."
    if decision.gap.count and not (after and decision.gap.holds(after[0])):
        return (
            f"{found.sets.source} would send {decision.gap.shortened()}, but that is not what follows "
            f"{located.position} in its log."
        )
    return None


def _gtids(groups: Iterable[Group]) -> list[MysqlGtid] | None:
    """None where one of them is anonymous."""
    found = [_parsed(group.gtid_text) for group in groups]
    return None if None in found else [gtid for gtid in found if gtid is not None]


def _of_others(sets: ExecutedSets) -> str:
    """What the replica executed of others: it stands still from the stop of the channel until its new start."""
    return str((sets.applied or {})[sets.replica].without_sources(sets.own))


def _facts(sets: ExecutedSets, decision: SetDecision) -> dict[str, object]:
    facts: dict[str, object] = {"code": decision.code.value, "nodes_compared": sorted(sets.applied or {})}
    if decision.named.count:
        facts |= {"transactions": decision.named.count, "gtids": decision.named.shortened()}
    if decision.code is SetCode.SERVED:
        facts |= {"gap_transactions": decision.gap_transactions, "gap": decision.gap.shortened()}
    return facts


def _refuse(located: Located, evidence: Evidence, code: SetCode, remedy: str) -> Located:
    prefix = "" if evidence.agrees is None else "Evidence disagrees: "
    return replace(
        located,
        evidence=(*located.evidence, evidence),
        is_proven=False,
        reasons=(*located.reasons, f"{prefix}{evidence.detail}"),
        facts={**located.facts, "code": code.value, "remedy": remedy},
    )
