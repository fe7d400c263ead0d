"""Fencing and unfencing nodes."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="node_will_be_fenced",
        severities=(Severity.OK,),
        title="Node will be fenced",
        what_happened="A node of the lost side responds.",
        what_it_means="The run fences it before the other side is activated.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="node_cannot_be_fenced",
        severities=(Severity.UNKNOWN,),
        title="Node cannot be fenced",
        what_happened="A node does not respond, or does not report its version, `read_only` or `wsrep_reject_queries`.",
        what_it_means="The plan is refused. The node could accept writes while the other side is activated.",
        what_to_do=(
            "If the node responds, check that it is a MariaDB server with Galera and no proxy: every account may "
            "read `read_only`. Otherwise bring it back, or fence it and attest it (option `attest_fenced`)."
        ),
    ),
    FindingEntry(
        code="node_cannot_be_opened",
        severities=(Severity.UNKNOWN,),
        title="Node cannot be unfenced",
        what_happened=(
            "A node of the side to be activated does not report its version, fence settings or Galera status."
        ),
        what_it_means="The plan is refused. The node could stay read-only or write outside its cluster.",
        what_to_do=(
            "Every account may read `read_only` and the Galera status: check that no proxy responds. If you shut "
            "the node down, the side is activated without it."
        ),
    ),
    FindingEntry(
        code="node_down_unfenced",
        severities=(Severity.WARNING,),
        title="Unfenced node down",
        what_happened="A node of the old active side is down and expelled, so the run cannot fence it.",
        what_it_means=(
            "The plan continues. If the node is started again, it accepts writes unless its configuration says "
            "`read_only`."
        ),
        what_to_do="Keep clients away from the node, or set `read_only=ON` in its configuration.",
    ),
    FindingEntry(
        code="node_not_attested",
        severities=(Severity.UNKNOWN,),
        title="Node not attested",
        what_happened="A node does not respond, and it is unknown whether it still accepts writes.",
        what_it_means="The plan is refused. Two sides could accept writes at the same time.",
        what_to_do="Fence the node (power, network, proxy) and name it in option `attest_fenced`.",
    ),
    FindingEntry(
        code="unreachable_node_attested",
        severities=(Severity.WARNING,),
        title="Unreachable node attested as fenced",
        what_happened="A node does not respond, and the request attests that it is fenced.",
        what_it_means="The plan relies on that statement. If it is wrong, transactions are orphaned or applied twice.",
        what_to_do="Check power and network of the node again before you confirm.",
    ),
    FindingEntry(
        code="unreachable_node_expelled",
        severities=(Severity.OK,),
        title="Unreachable node expelled",
        what_happened="A node does not respond, and the Primary Component of its cluster does not include it.",
        what_it_means="Nothing that the node runs can commit. An old channel on it must be removed when it returns.",
        what_to_do="Nothing to do now. Remove its stray channel when the node returns.",
    ),
    FindingEntry(
        code="unreachable_node_may_run",
        severities=(Severity.UNKNOWN,),
        title="Unreachable node still a member",
        what_happened="A node does not respond, but its cluster still counts it as a member.",
        what_it_means="The plan is refused. The node may run a channel and apply transactions.",
        what_to_do="Wait until the cluster expels it, or fence it and name it in option `attest_fenced`.",
    ),
    FindingEntry(
        code="active_node_read_only",
        severities=(Severity.WARNING,),
        title="Active side read-only",
        what_happened="One or more nodes of the active side run with `read_only=ON`.",
        what_it_means=(
            "Applications cannot write on these nodes. In most cases the node was restarted with `read_only` "
            "configured."
        ),
        what_to_do="Check that this side is the active one. Then run `SET GLOBAL read_only=OFF` on each named node.",
    ),
    FindingEntry(
        code="reject_queries_privilege_missing",
        severities=(Severity.BLOCKER,),
        title="Privilege for wsrep_reject_queries missing",
        what_happened="The operator account lacks `SUPER` on a node whose `wsrep_reject_queries` must change.",
        what_it_means="The plan is refused, because the run would stop between two fences.",
        what_to_do="Grant `SUPER` to the operator account, or plan without option `reject_queries`.",
    ),
    FindingEntry(
        code="reject_queries_privilege_unknown",
        severities=(Severity.UNKNOWN,),
        title="Privilege for wsrep_reject_queries unknown",
        what_happened="The privileges of the operator account on a node could not be read.",
        what_it_means="The plan is refused, because the run could stop between two fences.",
        what_to_do="Check that the operator account can log in to the node. It needs `SUPER`.",
    ),
    FindingEntry(
        code="standby_accepts_writes",
        severities=(Severity.WARNING,),
        title="Standby side accepts writes",
        what_happened=(
            "A serving node of the standby side has `read_only=OFF`, although a run fenced the side, or other nodes of "
            "it are read-only. The finding names the run, and whether the node was restarted since."
        ),
        what_it_means=(
            "Applications can write on both sides: rows collide, and a switchover back meets writes that nobody "
            "expects. The link is `degraded`. Hawser never sets the fence again by itself."
        ),
        what_to_do=(
            "Make sure that no application writes there, and fence the side again (plan kind `fence_standby`). Set "
            "`read_only=ON` in the option file of each node. If the fence was taken away within minutes and without "
            "a restart, another program does it: stop that first; Hawser does not offer the fence again until then. "
            "Where both sides are written on purpose, set `writes_on_both_sides` of the link."
        ),
    ),
    FindingEntry(
        code="standby_writable",
        severities=(Severity.INFO,),
        title="Standby side writable",
        what_happened=(
            "The standby side accepts writes. No run of this console has fenced it, or the link is registered with "
            "`writes_on_both_sides`."
        ),
        what_it_means=(
            "That is so after the registration of clusters whose option files do not say `read_only`, and on purpose "
            "where both sides are written. It is no alarm."
        ),
        what_to_do="If applications write at one side only, fence the standby side (plan kind `fence_standby`).",
    ),
    FindingEntry(
        code="nothing_to_fence",
        severities=(Severity.BLOCKER,),
        title="Nothing to fence",
        what_happened="Every serving node of the standby side is read-only.",
        what_it_means="The plan is refused: it has nothing to do.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="fence_contested",
        severities=(Severity.WARNING,),
        title="Fence undone by another program",
        what_happened="A run fenced the standby side, and within minutes it was writable again without a restart.",
        what_it_means="Another program, or a person, sets `read_only=OFF`. It will probably undo this fence, too.",
        what_to_do="Find the program (an operator, an orchestrator, a proxy's script) and stop it first.",
    ),
)
