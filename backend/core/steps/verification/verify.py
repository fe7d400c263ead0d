"""Proves success: transactions around the resume position are equal, options kept, one channel a direction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from backend.core.binlog.content import are_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, InStream, foreign_to, groups_from
from backend.core.facts.channel_ends import unclear_channels
from backend.core.facts.halves import is_split
from backend.core.facts.origins import outside_stream
from backend.core.facts.split_sites import mixed_halves_finding, split_finding
from backend.core.link_facts import LinkFacts
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.positions import FilePosition
from backend.core.steps.base import OUTSIDE_STREAM, Effect, Observation, Proof, StepContext
from backend.core.steps.peers import observe_peers
from backend.core.steps.positions.divergence_check import check_divergence
from backend.core.topology import ChannelFacts, Direction, NodeFacts

SEAM_AFTER = 64
_SETS_UP = ("change_source", "resume_channel")
"""Steps after which a channel reads on from a proven position."""
SEAM_AMONG = 2_000
"""Groups of any stream that are searched for them: a passive side's own are few among those that it applied."""
_SEAM_LIMIT_S = 20.0


class Verify:
    """Implements StepKind; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "verify")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Every part must hold; the facts name each for the console's database."""
        link = _observed(ctx)
        points = [step for step in ctx.plan.steps if step.code in _SETS_UP]
        seams = [self._seam(ctx, link, point) for point in points]
        second = duplicate_channels(link)
        options = [_options_kept(link, point) for point in points]
        probed = bool(step.params.get("probed", True))
        facts = {
            "continuity": seams,
            "stray_channels": second,
            "options_equal": all(not o for o in options),
            "option_differences": [o for o in options if o],
            "probed": probed,
        }
        faults = [f"{s['direction']}: {s['sentence']}" for s in seams if not s["equal"]]
        faults += [f"stray channel: {text}" for text in second]
        faults += [split_finding(side).message for side in (link.active, link.standby) if is_split(side)]
        faults += [found.message for side in (link.active, link.standby) if (found := mixed_halves_finding(side))]
        faults += [f"options differ: {o}" for o in options if o]
        divergence = check_divergence(ctx, link)
        faults += [f"the channel of a lost side runs on {name}" for name in divergence.applying_nodes]
        if faults:
            return Proof(False, "; ".join(faults), facts)
        compared = pluralize(sum(s["groups_compared"] for s in seams), "transaction")
        note = ("" if probed else " Not probed: the proof rests on the continuity check alone.") + divergence.note
        return Proof(True, f"continuity check passed over {compared}, options equal, no stray channel.{note}", facts)

    def _seam(self, ctx: StepContext, link: LinkFacts, point: Step) -> dict[str, Any]:
        """Compare what follows the position on the source with what arrived."""
        direction = Direction(point.params["direction"])
        proven = ctx.result_of("locate", point.params["direction"])
        answer: dict[str, Any] = {}

        def query() -> Proof:
            answer.clear()
            answer.update(_compare_seam(ctx, link, point, direction, proven))
            return Proof(bool(answer["equal"]) or bool(answer["conflict"]), "")

        ctx.wait_for(_SEAM_LIMIT_S, query, pause_s=0.1)
        return answer


def _observed(ctx: StepContext) -> LinkFacts:
    """The link's facts in which every node that could hold a channel of the plan's directions reports its channels."""
    receivers = list(dict.fromkeys(filter(None, map(_receiver, ctx.plan.steps))))
    if not receivers:
        return ctx.gateway.observe_link()
    return observe_peers(ctx, *dict.fromkeys(ctx.gateway.reader(one).node.cluster_id for one in receivers))


def _receiver(step: Step) -> str | None:
    """A node of the receiving side of the channel that this step set up, ended, or compared; None of other steps."""
    if step.code == "verify_caught_up":
        return str(step.params["replica_node_id"])
    return step.node_id if step.code in (*_SETS_UP, "record_divergence") else None


def _compare_seam(
    ctx: StepContext, link: LinkFacts, point: Step, direction: Direction, proven: Mapping[str, Any]
) -> dict[str, Any]:
    own = tuple(proven.get(OUTSIDE_STREAM) or outside_stream(link, direction))
    expected = _source_groups(ctx, link.node(point.params["source_node_id"]), proven, own)
    assert point.node_id is not None
    replica = link.node(point.node_id)
    received = _received_groups(ctx, replica, own, proven, len(expected))
    facts: dict[str, Any] = {
        "direction": direction.value,
        "node": replica.node.name,
        "groups_compared": 0,
        "equal": False,
        "conflict": False,
    }
    if not expected:
        return facts | {"equal": True, "sentence": "no transaction of this stream to compare"}
    wanted = [g.content for g in expected]
    have = [g.content for g in received][: len(wanted)]
    if len(have) < min(len(wanted), len(proven["seam"]) + 1):
        return facts | {"sentence": "the transactions around the resume position have not all arrived yet"}
    equal = are_same(have, wanted[: len(have)])
    after = len(have) - len(proven["seam"])
    compared = pluralize(len(have), "transaction")
    sentence = f"{compared} around the resume position compared equal, {after:,} of them from the new channel"
    if not equal:
        sentence = f"the transactions at the resume position differ on {replica.node.name}"
    return facts | {"groups_compared": len(have), "equal": equal, "conflict": not equal, "sentence": sentence}


def _source_groups(ctx: StepContext, source: NodeFacts, proven: Mapping[str, Any], own: tuple[int, ...]) -> list[Group]:
    """The seam's groups on the source and up to 64 stream groups after them, among the first groups after the seam."""
    start = proven["seam_start"] or f"{proven['file']}:{proven['offset']}"
    in_stream, seam = foreign_to(own), len(proven["seam"])
    found: list[Group] = []
    passed = 0
    for group in _groups_from(ctx, source, start, in_stream):
        passed += len(found) >= seam
        if in_stream(group):
            found.append(group)
        if len(found) >= seam + SEAM_AFTER or passed >= SEAM_AMONG:
            break
    return found


def _received_groups(
    ctx: StepContext, replica: NodeFacts, own: tuple[int, ...], proven: Mapping[str, Any], wanted: int
) -> list[Group]:
    """The first N stream groups of the replica's own log, from its last applied groups when the position was proven."""
    in_stream = foreign_to(own)
    groups = _groups_from(ctx, replica, str(proven["received_from"]), in_stream)
    return list(islice(filter(in_stream, groups), wanted))


def _groups_from(ctx: StepContext, node: NodeFacts, start: str, in_stream: InStream) -> Iterator[Group]:
    """Groups read on demand: all that followed since may be very much (21 s of reading, observed)."""
    return groups_from(Cursor(ctx.log_of(node)), FilePosition.parse(start), in_stream=in_stream)


def _options_kept(link: LinkFacts, point: Step) -> dict[str, Any]:
    assert point.node_id is not None
    channel = link.node(point.node_id).channel(point.params["name"])
    if channel is None:
        return {"channel": "gone"}
    wanted = dict(point.params["options"])
    found = {name: channel.options.get(name) for name in wanted}
    if sorted(channel.ignore_server_ids) != sorted(point.params["ignore_server_ids"]):
        return {"ignore_server_ids": list(channel.ignore_server_ids)}
    return {n: {"planned": wanted[n], "seen": found[n]} for n in wanted if wanted[n] != found[n]}


def duplicate_channels(link: LinkFacts) -> list[str]:
    """Directions with more than one channel on the nodes that respond, and channels that may be one, as texts."""
    found = [one.sentence for one in unclear_channels(link)]
    for direction in Direction:
        holders = link.holders(direction)
        if len(holders) > 1:
            found.append(f"{direction}: " + ", ".join(_name(h.replica.node.name, h.channel) for h in holders))
    return found


def _name(node: str, channel: ChannelFacts) -> str:
    return f"{node} ({'running' if channel.is_running else 'stopped'})"
