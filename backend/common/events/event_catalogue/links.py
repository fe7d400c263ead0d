"""Kinds that the monitor raises: links, nodes, channels, sites and advice."""

from __future__ import annotations

from backend.common.events.event_catalogue.entry import EventKind
from backend.core.findings import Severity

LINKS = (
    EventKind(
        kind="link.protected",
        severities=(Severity.OK,),
        sent_when="The state of the link became `protected`: both channels run and all nodes are in service.",
        message="milan is writable. frankfurt is in sync.",
    ),
    EventKind(
        kind="link.degraded",
        severities=(Severity.WARNING,),
        sent_when="The state of the link became `degraded`: it replicates, but is not whole.",
        message="db-a2 is down. milan is still writable. frankfurt is 12 transactions behind.",
    ),
    EventKind(
        kind="link.broken",
        severities=(Severity.BLOCKER,),
        sent_when="The state of the link became `broken`: the standby side receives no data.",
        message="db-a1 is down. milan is still writable. frankfurt has received no data for 14 s.",
    ),
    EventKind(
        kind="link.failed_over",
        severities=(Severity.BLOCKER,),
        sent_when="The state of the link became `failed_over`: the former standby side is the only active side.",
        message="frankfurt has been the only active side for 0 s after the loss of milan. milan has not returned yet.",
    ),
    EventKind(
        kind="link.unprotected",
        severities=(Severity.BLOCKER,),
        sent_when="The state of the link became `unprotected`: there is no forward channel.",
        message="milan is writable. frankfurt receives no data.",
    ),
    EventKind(
        kind="link.unknown",
        severities=(Severity.UNKNOWN,),
        sent_when="The state of the link became `unknown`: a side or the forward channel cannot be observed.",
        message="No node of milan is reachable from the console. It is unknown whether milan is writable. …",
    ),
    EventKind(
        kind="link.maintenance_ended",
        severities=(Severity.OK, Severity.WARNING, Severity.BLOCKER, Severity.UNKNOWN),
        sent_when="A maintenance ended, by a person or by its time. The severity is that of the link's state then.",
        message="The maintenance has ended. Both channels run and are in sync.",
        actor="who ended it; null: its time was over",
    ),
    EventKind(
        kind="registration.changed",
        severities=(Severity.INFO, Severity.WARNING),
        sent_when=(
            "The registration of the link, of a cluster or of a node was changed. A warning where an acceptance of "
            "servers ended because other servers were seen."
        ),
        message="olaf added db-a4 to milan.",
        actor="who changed it; `console` where the monitor did",
    ),
)
NODES = (
    EventKind(
        kind="node.up",
        severities=(Severity.OK,),
        sent_when="The node answered a poll after one or more that it did not.",
        message="db-a1 is reachable again.",
    ),
    EventKind(
        kind="node.down",
        severities=(Severity.BLOCKER,),
        sent_when="The node's host refused the connection: its server does not run.",
        message="db-a1 is down: connection refused: no server is listening on this port.",
    ),
    EventKind(
        kind="node.hung",
        severities=(Severity.BLOCKER,),
        sent_when="The node did not respond in time. It may still accept writes.",
        message="db-a1 is not responding: timed out: the server is hung, overloaded or cut off, and may …",
    ),
    EventKind(
        kind="node.refused",
        severities=(Severity.WARNING,),
        sent_when="The node answered and refused the console's login or its TLS connection.",
        message="db-a1 refuses the console's login: credentials refused for user hawser_ro: …",
    ),
    EventKind(
        kind="node.unknown",
        severities=(Severity.UNKNOWN,),
        sent_when="The node could not be reached, and the error does not tell whether it runs.",
        message="db-a1 is unreachable from the console: host unreachable from the console; …",
    ),
    EventKind(
        kind="node.cleanup_due",
        severities=(Severity.OK,),
        sent_when="A node that was to be cleaned up is reachable again and has no stray channel.",
        message="db-a1 is reachable again without a stray channel. No cleanup is needed.",
    ),
    EventKind(
        kind="node.absence_short",
        severities=(Severity.WARNING,),
        sent_when=(
            "At the write rate of the last hour the node may be away for less than `HAWSER_ABSENCE_ALARM_MINUTES` "
            "before it needs an SST."
        ),
        message="db-a3 may be away for 8 min before it needs an SST. The threshold is 10 min.",
    ),
    EventKind(
        kind="node.absence_ample",
        severities=(Severity.OK,),
        sent_when="That time is at least a quarter longer than the threshold again.",
        message="db-a3 may be away for 14 min before it needs an SST.",
    ),
    EventKind(
        kind="node.maintenance_left",
        severities=(Severity.INFO,),
        sent_when="A node whose maintenance was prepared left its cluster.",
        message="db-a3 left its cluster for maintenance.",
    ),
    EventKind(
        kind="node.maintenance_ended",
        severities=(Severity.OK, Severity.WARNING),
        sent_when=(
            "A node maintenance ended, and nothing is frozen any more. A warning where the node was not prepared, not "
            "stopped or not seen to return, or where IST and SST are both possible."
        ),
        message="db-a3 returned by IST, by the rule: its last seqno, at least 25,917, + 1 is not below the oldest …",
    ),
    EventKind(
        kind="node.maintenance_frozen",
        severities=(Severity.WARNING,),
        sent_when="The freeze of a donor's gcache could not be ended. One for each error; Hawser tries again.",
        message="The gcache of db-a2 is still frozen: db-a2: connection refused. By hand: SET GLOBAL …",
    ),
)
CHANNELS = (
    EventKind(
        kind="channel.moved",
        severities=(Severity.INFO,),
        sent_when="The monitor found the channel running between other nodes than recorded, and recorded them.",
        message="The forward channel now replicates db-a2 → db-b1.",
    ),
    EventKind(
        kind="channel.not_continuous",
        severities=(Severity.BLOCKER, Severity.UNKNOWN),
        sent_when=(
            "The binary log of a channel's source is another one than the channel has read, or another server answers "
            "at its address. Unknown where the log that was read before is purged and cannot be compared."
        ),
        message="The seqno of db-a1 fell from 812 to 531 under one state UUID. It is not proven that the forward …",
    ),
    EventKind(
        kind="channel.unaccounted",
        severities=(Severity.BLOCKER,),
        sent_when=(
            "Transactions were found that do not stand on both sides: left out by a channel, or written on the other "
            "side under a server_id of the source. One for each poll that finds some."
        ),
        message="frankfurt lacks 1 transaction of milan. The forward channel passed it and the log of db-b1 does …",
    ),
    EventKind(
        kind="channel.settled",
        severities=(Severity.OK,),
        sent_when="A person settled transactions that do not stand on both sides.",
        message="jane settled 1 transaction of the forward channel: the rows were brought in by hand",
    ),
    EventKind(
        kind="channel.stray",
        severities=(Severity.BLOCKER, Severity.WARNING),
        sent_when="A second channel of a direction was found: a blocker if it runs, a warning if it is stopped.",
        message="A stray channel from db-a1 is running on db-b2.",
    ),
    EventKind(
        kind="channel.reset",
        severities=(Severity.OK,),
        sent_when="A stray channel that was reported does not exist any more.",
        message="The stray channel on db-b2 was removed.",
    ),
)
SITES = (
    EventKind(
        kind="site.rebuilt",
        severities=(Severity.WARNING,),
        sent_when="A lost side returned as a copy of the active side. Raised once for each copy.",
        message="milan was rebuilt: it is a copy with state UUID 5f2c19aa that has written nothing of its own.",
    ),
    EventKind(
        kind="site.rebootstrapped",
        severities=(Severity.WARNING,),
        sent_when="A lost side returned with a new state UUID and a history of its own. Raised once for each.",
        message="milan was bootstrapped again (state UUID 5f2c19aa). The binary log of db-a1 holds its own writes.",
    ),
    EventKind(
        kind="site.split",
        severities=(Severity.BLOCKER,),
        sent_when="The nodes of one registered cluster are several Primary Components that know nothing of each other.",
        message="milan is 2 Primary Components that know nothing of each other: db-a2 and db-a3, at seqno 5,120; …",
    ),
    EventKind(
        kind="site.whole",
        severities=(Severity.OK,),
        sent_when="The responding nodes of a cluster that was split are one Primary Component again.",
        message="milan is one Primary Component again.",
    ),
)
STANDBY_FENCE = (
    EventKind(
        kind="standby.writable",
        severities=(Severity.WARNING,),
        sent_when=(
            "A node of a standby side that was fenced accepts writes, or only some of its nodes are read-only. Not "
            "sent of a standby side that was never fenced."
        ),
        message="db-a3 of the standby side milan accepts writes (read_only=OFF). Run r_… (switchover) had fenced it …",
    ),
    EventKind(
        kind="standby.fenced",
        severities=(Severity.OK,),
        sent_when="No serving node of that standby side accepts writes any more, or it is not the standby side now.",
        message="The standby side milan is fenced again.",
    ),
)
CERTIFICATES = (
    EventKind(
        kind="certificate.expires",
        severities=(Severity.WARNING, Severity.BLOCKER),
        sent_when=(
            "A certificate of the connections to a cluster ends: that of a node, of a trusted authority, or the client "
            "certificate of the console. Sent 30 and 7 days before as a warning, 1 day before and once it has ended as "
            "a blocker, each once, on every link of the cluster."
        ),
        message="The certificate of node db-a1 of milan ends on 2026-12-06 07:45 UTC.",
    ),
    EventKind(
        kind="certificate.renewed",
        severities=(Severity.OK,),
        sent_when="A certificate whose end was told was replaced by a later one, or is not used any more.",
        message="Node db-a1 of milan has a new certificate, until 2027-12-06.",
    ),
)
ADVICE = (
    EventKind(
        kind="advice.appeared",
        severities=(Severity.WARNING,),
        sent_when=(
            "Advice of high risk is open on the link or on one of its clusters. Sent for each kind of advice, at most "
            "once in 30 minutes, also where it comes and goes; never of dismissed advice, and not during a maintenance."
        ),
        message="Multicast keeps nodes from joining on milan: gmcast.mcast_addr is set on db-a1.",
    ),
    EventKind(
        kind="advice.resolved",
        severities=(Severity.OK,),
        sent_when=(
            "Advice that was told has not been given for 30 minutes, and all nodes were read. Not sent where it was "
            "dismissed."
        ),
        message="Resolved on milan: Multicast keeps nodes from joining.",
    ),
)
