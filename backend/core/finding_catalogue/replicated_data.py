"""Filters, auto_increment, tables and events."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="filters_equal",
        severities=(Severity.OK,),
        title="Replication filters equal",
        what_happened="The new replica has the same replication filters as the present channel.",
        what_it_means="The new channel applies the same tables as before.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="filters_differ",
        severities=(Severity.BLOCKER,),
        title="Replication filters differ",
        what_happened="The new replica has other replication filters than the present channel.",
        what_it_means="The plan is refused. Tables would be missing on the receiving side without any error.",
        what_to_do="Set the same filters on both nodes. `facts` lists each difference.",
    ),
    FindingEntry(
        code="channel_filtered",
        severities=(Severity.WARNING,),
        title="Channel leaves rows out by filters",
        what_happened=(
            "A channel of the link has replication filters: `replicate_*` of its node or of the channel alone, "
            "`DO_DOMAIN_IDS` or `IGNORE_DOMAIN_IDS`."
        ),
        what_it_means=(
            "What they leave out is missing on the receiving side without any error, and no lag shows it. After a "
            "switchover or failover applications miss it."
        ),
        what_to_do=(
            "If the filter is meant, set it on every node of the receiving side. Otherwise remove it, and compare the "
            "data of both sides: what was left out does not arrive later."
        ),
    ),
    FindingEntry(
        code="channel_delayed",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Channel applies late on purpose",
        what_happened=(
            "A channel of the link has a delay (`MASTER_DELAY`, `SOURCE_DELAY`): its SQL thread holds each transaction "
            "back for so long after its commit on the source."
        ),
        what_it_means=(
            "The receiving side is behind by so much while both threads run. A switchover and a failback are refused: "
            "they would refuse writes for as long. A failover waits for what the relay log holds, or loses it. A "
            "relocate keeps the delay."
        ),
        what_to_do=(
            "Stop the SQL thread, set the delay to 0 by CHANGE MASTER without a position, which keeps position and "
            "relay log, and start it. Set it again afterwards."
        ),
    ),
    FindingEntry(
        code="filters_unknown",
        severities=(Severity.UNKNOWN,),
        title="Replication filters unknown",
        what_happened="The replication filters of the new replica or of the present channel could not be read.",
        what_it_means="The plan is refused, because tables could be missing on the receiving side.",
        what_to_do=(
            "Every account may read the variables `replicate_*`; the filters of a channel need `SLAVE MONITOR`. "
            "Check that no proxy responds. MySQL has no such variables, and Hawser does not read its filters. Move the "
            "channel by hand there."
        ),
    ),
    FindingEntry(
        code="filters_hidden",
        severities=(Severity.WARNING,),
        title="A replication filter that the server does not tell",
        what_happened=(
            "MariaDB before 10.11 can have `replicate-rewrite-db` in its configuration, and neither a variable nor the "
            "channel's status shows it."
        ),
        what_it_means=(
            "The plan can run. If the new replica rewrites other schemas than the present one, rows arrive in another "
            "schema or stop the channel."
        ),
        what_to_do="Compare `replicate-rewrite-db` in the configuration files of both replicas.",
    ),
    FindingEntry(
        code="default_collation_differs",
        severities=(Severity.WARNING,),
        title="Default collations differ",
        what_happened=(
            "`collation_server` or `character_set_collations` of the two nodes differ. MariaDB 11.5 and later compile "
            "in another default than releases before."
        ),
        what_it_means=(
            "The plan can run. A statement that creates a table or column without `COLLATE` is replicated as it was "
            "sent, so the two sides sort and compare the column differently, and a unique key may refuse rows on one "
            "side only."
        ),
        what_to_do=(
            "Set both variables alike in the configuration of all nodes, or name the collation in each `CREATE TABLE`. "
            "Tables that exist keep theirs: compare `information_schema.COLUMNS.COLLATION_NAME` of both sides."
        ),
    ),
    FindingEntry(
        code="auto_increment_ok",
        severities=(Severity.OK,),
        title="auto_increment values distinct",
        what_happened="The auto_increment settings of the two sites never produce the same value.",
        what_it_means="Inserts at both sites do not collide.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="auto_increment_overlap",
        severities=(Severity.WARNING,),
        title="auto_increment values overlap",
        what_happened="Nodes of both sites produce the same auto_increment values.",
        what_it_means="If both sites accept writes, inserted rows collide and a channel stops with error 1062.",
        what_to_do=(
            "Set `wsrep_auto_increment_control=OFF` and a different `auto_increment_offset` on every node of both "
            "sites."
        ),
    ),
    FindingEntry(
        code="auto_increment_unknown",
        severities=(Severity.WARNING,),
        title="auto_increment settings unknown",
        what_happened="The auto_increment settings of some nodes could not be read.",
        what_it_means="Collisions of inserts at both sites cannot be ruled out. The plan does not depend on them.",
        what_to_do=(
            "Every account may read `auto_increment_increment` and `auto_increment_offset`. Start the node that was "
            "not read."
        ),
    ),
    FindingEntry(
        code="tables_outside_innodb",
        severities=(Severity.WARNING,),
        title="Tables outside InnoDB",
        what_happened="The cluster has tables with an engine other than InnoDB.",
        what_it_means=(
            "Galera does not fully replicate their rows. After a move to another replica these rows may be missing."
        ),
        what_to_do="Convert each table with `ALTER TABLE … ENGINE=InnoDB`, or compare these tables after a move.",
    ),
    FindingEntry(
        code="event_scheduler_on",
        severities=(Severity.WARNING,),
        title="Events run on the standby side",
        what_happened=(
            "The event scheduler runs events on the standby side; or both sides are to be fenced while events are "
            "enabled or their number is unknown."
        ),
        what_it_means=(
            "Events write on both sides. `read_only` stops them unless their definer may write in spite of it."
        ),
        what_to_do=(
            "Switch the event scheduler off on the standby side, or make sure that the events may run there. To "
            "have them counted, grant `SELECT` on `mysql.event` to the monitor account."
        ),
    ),
    FindingEntry(
        code="events_switched",
        severities=(Severity.INFO, Severity.WARNING),
        title="Event runs on the other side afterwards",
        what_happened=(
            "An event runs on the side that is left. The plan disables it there before the fence and enables it on one "
            "node of the other side once that is active."
        ),
        what_it_means=(
            "It runs on exactly one node again. Every other node has it as `SLAVESIDE_DISABLED`, by replication. As a "
            "warning: the event scheduler of that node does not run."
        ),
        what_to_do=(
            "Nothing to do; to alter no event, plan with `events: leave`. Switch the scheduler on where the event is "
            "to run."
        ),
    ),
    FindingEntry(
        code="events_left",
        severities=(Severity.WARNING, Severity.BLOCKER),
        title="Event runs on no node of the new active side",
        what_happened=(
            "An event runs on the side that is left, and the plan does not move it: it was told so, the operator "
            "account lacks privileges, the other side does not have it, or a node refuses statements on events "
            "(`event_scheduler=DISABLED`), which would stop the channel that brings one."
        ),
        what_it_means=(
            "The event stops for the application. On the old side it goes on, and writes through the fence if its "
            "definer may. A blocker where the plan was to switch events."
        ),
        what_to_do=(
            "Grant the privileges that it names to the operator account, or restart the nodes that it names with "
            "`event_scheduler=OFF`, and plan again; or run its statement on the new active side after the run. The "
            "link shows `events_not_enabled` until then."
        ),
    ),
    FindingEntry(
        code="events_unknown",
        severities=(Severity.UNKNOWN, Severity.WARNING),
        title="Events not readable",
        what_happened="An event scheduler runs or may run, and a node does not show its events.",
        what_it_means="It is unknown what runs after the switch, and where.",
        what_to_do="Grant `SELECT` on `mysql.event` to the monitor account, or plan with `events: leave`.",
    ),
    FindingEntry(
        code="events_not_enabled",
        severities=(Severity.WARNING,),
        title="Events run on no node of the active side",
        what_happened=(
            "Every node of the active side has the event as `SLAVESIDE_DISABLED`: it was made or enabled on the other "
            "side, and the active side was changed since; or an `ALTER EVENT` without `ENABLE`, of its comment for "
            "example, was sent to a node that did not run it."
        ),
        what_it_means="What the event did for the application is not done.",
        what_to_do=(
            "Run the statement of the remedy on the node it names. It keeps the definer, and replication disables the "
            "event everywhere else. Run `ALTER EVENT … DISABLE` there for one that is not to run."
        ),
    ),
)
