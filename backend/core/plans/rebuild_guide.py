"""The guide to a copy, node by node: the donor, the commands to run, and the progress by the servers' own facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.link_facts import LinkFacts
from backend.core.plans.target import is_fit
from backend.core.plural import pick
from backend.core.topology import ClusterFacts, NodeFacts, Reach

BACKUP_DIR = "/var/backups/rebuild"
_DATADIR = "/var/lib/mysql"
JOINING, DONOR, JOINED, SYNCED = 1, 2, 3, 4


class CopyState(StrEnum):
    """The progress of a node of the side towards a copy."""

    UNKNOWN = "unknown"
    DOWN = "down"
    OLD = "old"
    STARTING = "starting"
    JOINING = "joining"
    DONOR = "donor"
    JOINED = "joined"
    SYNCED = "synced"


_BY_LOCAL_STATE = {JOINING: CopyState.JOINING, DONOR: CopyState.DONOR, JOINED: CopyState.JOINED}
_SENTENCES = {
    CopyState.UNKNOWN: "The state of {node} is unknown.",
    CopyState.DOWN: "{node} is down: it is stopped, or its data is being restored.",
    CopyState.OLD: "{node} still runs with the data of the lost side. Stop it.",
    CopyState.STARTING: "{node} responds, but is not a member of a Primary Component yet.",
    CopyState.JOINING: "{node} receives its data by state transfer.",
    CopyState.DONOR: "{node} sends its data to another node.",
    CopyState.JOINED: "{node} has its data and is catching up.",
    CopyState.SYNCED: "{node} is Synced in the new cluster {uuid}.",
}


@dataclass(frozen=True, slots=True)
class ProposedDonor:
    """The node to back up, and the reason for this choice."""

    node: NodeFacts
    reason: str


def donor_for(ctx: CheckContext, chosen_id: str | None) -> ProposedDonor:
    """The chosen node; else a Synced one without a channel, else the one with the shortest receive queue.

    A node whose channels could not be read counts as one that holds a channel. Among equals it is the channel's future
    source: the backup position is then its own.
    """
    source = ctx.pair[0]
    if chosen_id is not None:
        return ProposedDonor(source, f"{source.node.name} was chosen.")
    fit = sorted((node for node in ctx.link.active.nodes if is_fit(node)), key=lambda node: _order(node, source))
    idle = [node for node in fit if node.channels is not None and not node.channels]
    if idle:
        return ProposedDonor(idle[0], f"{idle[0].node.name} is Synced and holds no channel.")
    if not fit:
        return ProposedDonor(source, f"No node of {ctx.link.active.name} is Synced. Wait until one is.")
    node = fit[0]
    reason = f"Every Synced node holds a channel; {node.node.name} has the shortest receive queue ({_queue(node)})."
    return ProposedDonor(node, reason)


def _order(node: NodeFacts, source: NodeFacts) -> tuple[int, bool]:
    return _queue(node), node.node.id != source.node.id


def _queue(node: NodeFacts) -> int:
    return node.wsrep.recv_queue if node.wsrep is not None else 0


def copy_progress(link: LinkFacts) -> list[dict[str, Any]]:
    """The progress of each node of a lost side towards a copy; [] where no side is lost."""
    back = returned_side(link)
    divergence = link.divergence
    if back is None or divergence is None:
        return []
    old = divergence.lost_state_uuid or back.side.recorded_state_uuid
    return [_progress_of(node, old) for node in back.side.nodes]


def _progress_of(node: NodeFacts, old_uuid: str | None) -> dict[str, Any]:
    state = copy_state(node, old_uuid)
    uuid = node.wsrep.state_uuid[:8] if node.wsrep is not None else ""
    return {
        "node": node.node.name,
        "state": state.value,
        "is_done": state is CopyState.SYNCED,
        "sentence": _SENTENCES[state].format(node=node.node.name, uuid=uuid),
    }


def copy_state(node: NodeFacts, old_uuid: str | None) -> CopyState:
    """The progress by the node's own status; a state UUID is a copy's only if it is certainly new."""
    wsrep = node.wsrep
    if not node.is_up:
        return CopyState.DOWN if node.reach is Reach.DOWN else CopyState.UNKNOWN
    if wsrep is None or wsrep.cluster_status != "Primary":
        return CopyState.STARTING
    if old_uuid is None or wsrep.state_uuid == old_uuid:
        return CopyState.OLD
    if wsrep.local_state == SYNCED and wsrep.ready:
        return CopyState.SYNCED
    return _BY_LOCAL_STATE.get(wsrep.local_state, CopyState.STARTING)


def rebuild_guide(ctx: CheckContext, source_node: str | None = None) -> list[dict[str, Any]]:
    """What an operator does, by node, with the commands as Debian names them; [] once the copy is up.

    `source_node` is the node that the operator chose to back up; without it a donor is proposed.
    """
    back = returned_side(ctx.link)
    if back is None or back.kind is Incarnation.REBUILT:
        return []
    return copy_guide(ctx, back.side, source_node)


def copy_guide(ctx: CheckContext, side: ClusterFacts, source_node: str | None = None) -> list[dict[str, Any]]:
    """How the active side is copied onto `side`, by node."""
    survivor = ctx.link.active
    proposed = donor_for(ctx, source_node)
    donor, reason = proposed.node, proposed.reason
    first = ctx.pair[1]
    joiners = [node for node in side.nodes if node.node.id != first.node.id]
    steps = [
        _step(f"Stop {side.name}", _names(side.nodes), "systemctl stop mariadb"),
        _backup_step(survivor, donor, reason),
        _restore_step(donor, first),
    ]
    folders = dict.fromkeys(_datadir(node) or _datadir(donor) or _DATADIR for node in joiners)
    by_folder = [[n for n in joiners if (_datadir(n) or _datadir(donor) or _DATADIR) == folder] for folder in folders]
    peers = ",".join(node.node.host for node in (first, *joiners))
    return steps + [_join_step(donor, first, group, peers) for group in by_folder]


def _backup_step(survivor: ClusterFacts, donor: NodeFacts, reason: str) -> dict[str, Any]:
    datadir, port = _datadir(donor) or _DATADIR, donor.node.port
    return _step(
        f"Copy {survivor.name}; it stays writable",
        donor.node.name,
        f"DIR={BACKUP_DIR}; mariadb-backup --backup --galera-info --datadir={datadir} --port={port} --target-dir=$DIR",
        "mariadb-backup --prepare --target-dir=$DIR",
        "cat $DIR/*_binlog_info $DIR/*_galera_info",
        note=f"{reason} The last command prints the backup's position. Keep its output.",
    )


def _restore_step(donor: NodeFacts, first: NodeFacts) -> dict[str, Any]:
    datadir = _datadir(first) or _datadir(donor) or _DATADIR
    log = donor.binlog.file.rpartition(".")[0] if donor.binlog is not None else "*bin*"
    return _step(
        "Set read_only=ON in the configuration of every node. Then restore the copy, without the donor's log and "
        "without a saved Galera state",
        first.node.name,
        f"find {datadir} -mindepth 1 -delete",
        f"rsync -a {donor.node.host}:{BACKUP_DIR}/ {datadir}/",
        f"rm -f {datadir}/{log}.[0-9]* {datadir}/{log}.index {datadir}/grastate.dat; chown -R mysql: {datadir}",
        "galera_new_cluster",
        note=_datadir_note([first], donor),
    )


def _join_step(donor: NodeFacts, first: NodeFacts, joiners: list[NodeFacts], peers: str) -> dict[str, Any]:
    """The step of joiners that have their data in the same folder."""
    folder = _datadir(joiners[0]) or _datadir(donor) or _DATADIR
    method = next((found for node in (*joiners, first, donor) if (found := node.variable("wsrep_sst_method"))), None)
    how = f"state transfer ({method})" if method else "state transfer"
    note = f"wsrep_cluster_address must name {first.node.host} (for example gcomm://{peers})."
    known = _datadir_note(joiners, donor)
    return _step(
        f"Let the other nodes join by {how}, one after the other; {first.node.name} is their donor",
        _names(joiners),
        f"find {folder} -mindepth 1 -delete; systemctl start mariadb",
        note=" ".join(part for part in (note, known) if part),
    )


def _datadir(node: NodeFacts) -> str | None:
    """The node's data folder without the closing slash; None while the node does not answer."""
    folder = (node.variable("datadir") or "").rstrip("/")
    return folder or None


def _datadir_note(nodes: Iterable[NodeFacts], donor: NodeFacts) -> str:
    """The note on assumed data folders: a node that is down does not report its own."""
    silent = [node.node.name for node in nodes if _datadir(node) is None]
    if not silent:
        return ""
    names, verb = ", ".join(silent), pick(len(silent), "has", "have")
    return f"The data folder is that of {donor.node.name}. Check that {names} {verb} the same."


def _names(nodes: Iterable[NodeFacts]) -> str:
    return ", ".join(node.node.name for node in nodes)


def _step(title: str, node: str, *commands: str, note: str = "") -> dict[str, Any]:
    return {"title": title, "node": node, "commands": list(commands), "note": note}
