"""The lost side after a failover."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="side_invalidated",
        severities=(Severity.BLOCKER,),
        title="Lost side not reconciled",
        what_happened="A failover invalidated this side, and it has not been reconciled.",
        what_it_means="It may hold transactions that no other side has. No channel may read from it.",
        what_to_do="Run a reprotect when the side responds again.",
    ),
    FindingEntry(
        code="side_not_attached",
        severities=(Severity.WARNING,),
        title="Returned side not verified",
        what_happened="The side is reconciled, but no run has proven yet that its channels replicate.",
        what_it_means="The link is not protected. A position found now could lie at the divergence point.",
        what_to_do="Resume the reprotect of this side, or start a new one.",
    ),
    FindingEntry(
        code="reprotect_first",
        severities=(Severity.BLOCKER,),
        title="Reprotect required first",
        what_happened="A side of the link was lost in a failover, and its reprotect is not complete.",
        what_it_means="The plan is refused. Other operations could lose or duplicate transactions.",
        what_to_do="Run the reprotect of that side, or resume the one that stopped.",
    ),
    FindingEntry(
        code="nothing_to_reprotect",
        severities=(Severity.BLOCKER,),
        title="Nothing to reprotect",
        what_happened="No failover of this link waits for a reprotect.",
        what_it_means="The plan is refused. Nothing was sent.",
        what_to_do="Use a relocate to move channels, or a switchover to change the active side.",
    ),
    FindingEntry(
        code="returned_node_not_fenced",
        severities=(Severity.WARNING,),
        title="Returned node not fenced",
        what_happened="Nodes of the returned side respond and are fenced; this one does not respond.",
        what_it_means="It may accept writes, and the orphans of its side may increase.",
        what_to_do="Fence it as soon as it responds, or shut it down.",
    ),
    FindingEntry(
        code="survivor_not_writable",
        severities=(Severity.BLOCKER, Severity.UNKNOWN),
        title="Survivor not writable",
        what_happened="No node of the active side accepts writes, or it is unknown whether one does.",
        what_it_means="The plan is refused: once the returned side is fenced, no side might accept writes.",
        what_to_do=(
            "Bring the active side back until a Synced node shows `read_only=OFF` and `wsrep_reject_queries=NONE`. If "
            "the returned side must be fenced before, run `SET GLOBAL read_only=ON` on each of its nodes."
        ),
    ),
    FindingEntry(
        code="roles_changed_since",
        severities=(Severity.BLOCKER,),
        title="Roles changed since the failover",
        what_happened="The side that was lost in the recorded failover is the active side now.",
        what_it_means="The plan is refused. The recorded divergence does not agree with the present roles.",
        what_to_do=(
            "Stop and investigate. Compare the present roles with the recorded failover before any other operation."
        ),
    ),
    FindingEntry(
        code="rebootstrapped",
        severities=(Severity.WARNING,),
        title="Returned side bootstrapped again",
        what_happened="The lost side returned with a new state UUID and is not recognized as a copy of the survivor.",
        what_it_means=(
            "It was bootstrapped again. Its seqnos from before and after are not comparable, and log contents decide."
        ),
        what_to_do="Read the positions and orphaned transactions of the plan with care before you confirm.",
    ),
    FindingEntry(
        code="side_rebootstrapped",
        severities=(Severity.WARNING,),
        title="Returned side bootstrapped again",
        what_happened="The monitor sees the lost side with a new state UUID and transactions of its own.",
        what_it_means=(
            "It was bootstrapped with its old data, or it accepted writes. It may hold orphaned transactions."
        ),
        what_to_do="Scan its orphaned transactions, then run a reprotect.",
    ),
    FindingEntry(
        code="returned_side_writes",
        severities=(Severity.BLOCKER,),
        title="Returned side writable",
        what_happened="The lost side responds again and one or more of its nodes accept writes.",
        what_it_means=(
            "What clients write there is orphaned. With `fence_on_return` Hawser fences each node once as it returns."
        ),
        what_to_do="Fence the side at once (reprotect with option `orphans: fence`), and keep clients away from it.",
    ),
    FindingEntry(
        code="returned_side_open",
        severities=(Severity.BLOCKER,),
        title="Returned side not fenced",
        what_happened="The returned side still accepts writes while its orphaned transactions are to be handled.",
        what_it_means="The plan is refused, because the number of orphaned transactions can grow.",
        what_to_do="Run a reprotect with option `orphans: fence` first, then plan again.",
    ),
    FindingEntry(
        code="fence_confirmed_by_failover",
        severities=(Severity.OK,),
        title="Fence confirmed by the failover",
        what_happened="The confirmed failover said that the lost side is fenced when it returns.",
        what_it_means="The automatic run may fence the returned nodes.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="fence_not_confirmed",
        severities=(Severity.BLOCKER,),
        title="Fence not confirmed",
        what_happened="No failover that still applies says that this side is fenced when it returns.",
        what_it_means="The automatic fence is refused. The returned side may accept writes.",
        what_to_do="Fence it yourself with a reprotect (option `orphans: fence`).",
    ),
)
