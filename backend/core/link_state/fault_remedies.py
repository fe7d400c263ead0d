"""What mends an error of reading: one remedy a kind, with the variable and its value where one decides."""

from __future__ import annotations

from backend.core.facts.channel_faults import PACKET_KINDS, Fault, FaultKind, FaultPlace, packet_limit
from backend.core.server_settings.applying import MOST_PACKET
from backend.core.topology import NodeFacts

ATTEST = "Then attest that the cause is fixed (option attest_error_over)."


def fault_sentence(fault: Fault, source: NodeFacts, replica: NodeFacts) -> str:
    """What is wrong, with the names of its nodes and, where one decides, the variable and its value."""
    named = f"{fault.phrase[0].upper()}{fault.phrase[1:]}"
    for end, name in (("source", source.node.name), ("replica", replica.node.name)):
        named = named.replace(f"Its {end}", name).replace(f"its {end}", name)
    if fault.kind not in PACKET_KINDS:
        return f"{named}."
    node, variable, value = packet_limit(fault, source, replica)
    shown = "unknown" if value is None else str(value)
    return f"{named}: {variable} is {shown} on {node.node.name}."


def mending(fault: Fault, source: NodeFacts, replica: NodeFacts) -> str:
    """What an administrator does about it, before the channel is started or moved."""
    source_name, replica_name = source.node.name, replica.node.name
    if fault.kind in PACKET_KINDS:
        node, variable, _ = packet_limit(fault, source, replica)
        return (
            f"Run SET GLOBAL {variable}={MOST_PACKET} on {node.node.name} and write the value into its option file. "
            "Then start the channel."
        )
    return {
        FaultKind.SAME_SERVER_ID: f"Give {source_name} and {replica_name} different values of server_id.",
        FaultKind.ID_IN_USE: (
            f"Find the other replica with the server_id of {replica_name} (SHOW SLAVE HOSTS on {source_name}) and give "
            f"it an id of its own. {ATTEST}"
        ),
        FaultKind.LOG_DAMAGED: f"Check the disk and the error log of {source_name}.",
        FaultKind.LOG_OFF: f"Set log_bin on {source_name} and restart it.",
        FaultKind.RELAY_LOG_NOT_WRITTEN: (
            f"Check the disk space and the error log of {replica_name}, and the binary log of {source_name}. {ATTEST}"
        ),
        FaultKind.LOGIN: f"Check the account and the password of the channel on {source_name}.",
        FaultKind.PRIVILEGE: f"Grant REPLICATION SLAVE to the account of the channel on {source_name}.",
        FaultKind.TLS: f"Check the TLS settings of the channel and the certificate of {source_name}.",
        FaultKind.UNREACHABLE: f"Check the network and the firewall between {replica_name} and {source_name}.",
        FaultKind.UNKNOWN: f"Read the error logs of {source_name} and {replica_name}, and fix the cause. {ATTEST}",
    }.get(fault.kind, "")


def by_moving(fault: Fault, source: NodeFacts, replica: NodeFacts) -> str:
    """What a relocate must leave, where that is a way out."""
    if fault.kind in PACKET_KINDS:
        return ""
    if fault.place is FaultPlace.REPLICA:
        return f"Or relocate the link off {replica.node.name}."
    if fault.place in (FaultPlace.SOURCE, FaultPlace.POSITION):
        return (
            f"Relocate the link to another node of the side of {source.node.name}, whose logs reach back far enough. "
            "The plan proves the position."
        )
    return ""


def fault_remedy(fault: Fault, source: NodeFacts, replica: NodeFacts) -> str:
    """All ways out, what has to be mended first."""
    return " ".join(filter(None, (mending(fault, source, replica), by_moving(fault, source, replica))))
