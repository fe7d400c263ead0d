"""What is to be settled: transactions that do not stand on both sides, and times with an unsafe setting."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

_WHAT_TO_DO = (
    "Look up the transaction by its GTID on the link: its rows, and what the other side has. Bring in what a side "
    "lacks, and take out what was applied twice, on each node of that side with `wsrep_on=OFF` and `sql_log_bin=0`: "
    "what Galera replicates stands in the logs of the other nodes. Then settle it with the reason, on the page or by "
    "`POST /links/{id}/unaccounted/settle`. A relocate and a failover only warn of it."
)
_SEVERITIES = (Severity.BLOCKER, Severity.WARNING)

ENTRIES = (
    FindingEntry(
        code="rows_may_differ",
        severities=_SEVERITIES,
        title="Rows may differ between nodes",
        what_happened=(
            "For some time a node had a setting with which rows stay behind, are changed or are skipped without an "
            "error: binlog_do_db, binlog_ignore_db, wsrep_on=OFF, wsrep_OSU_method=RSU, another binlog_format than "
            "ROW, an init_connect that turns the log off; or, where a channel is, slave_exec_mode=IDEMPOTENT, "
            "slave_skip_errors, log_slave_updates=OFF, slave_run_triggers_for_rbr, lossy slave_type_conversions, an "
            "init_slave that turns the log off. Now it is right again, or the node is down. A setting that was there "
            "between two polls only is not seen. Or a session wrote by statement (binlog_format=STATEMENT) or with "
            "wsrep_on=OFF, as the log shows; of a server that is none of the nodes, or is down, the nodes whose logs "
            "have it are named. Or a table has other columns on one node than elsewhere (`columns`), as "
            "the logs describe it: it was altered there alone. Or a transaction has other rows in the log of one node "
            "than in others (`rows`): they differed before it, unseen, or since, or the other log has a statement "
            "instead. Or a column was added with DEFAULT (UUID()), NEXT VALUE FOR or the like, which each node "
            "computes for itself. Or a node logged what the others of "
            "its side did not (`logged alone`), or did not log what they logged (`not logged`): it was executed on one "
            "node alone, or in a session with sql_log_bin=0. Or transactions of one "
            "server_id went round between the sides, and do no more. Or a log "
            "was not read on from a place (`log behind`): its file was purged, or the channel "
            "stood while more than 64 MiB or ten files were written. Or a comparison of tables found other rows on a "
            "node than on another one (`compared`)."
        ),
        what_it_means=(
            "What was left out meanwhile stays out: the log of the node does not have it, or has its transactions "
            "without some rows, or of each row without the values of last columns that it lacks. Rows that were "
            "told of one transaction may differ in others, too: only what is changed again is seen. Copies that a "
            "round made stay there. A channel that was pointed behind what was not read left it out. Whether there was "
            "anything is unknown. The link is not protected, and a switchover is refused until a person settles it."
        ),
        what_to_do=(
            "Compare the tables of the nodes of that cluster with each other and with the other side; what was written "
            "behind an unread place may stand in the logs of other nodes. Mend what "
            "differs on each node that lacks it with `wsrep_on=OFF` and `sql_log_bin=0`, or let the node be copied "
            "whole (remove its `grastate.dat` and start it). Then settle it with the reason, on the page or by "
            "`POST /links/{id}/unaccounted/settle-settings`. A relocate and a failover only warn of it."
        ),
    ),
    FindingEntry(
        code="stream_unproven",
        severities=(Severity.WARNING,),
        title="Stream not proven lately",
        what_happened=(
            "The channels run, and for longer than `HAWSER_PROVEN_WITHIN_S` (a minute) the account of the transactions "
            "of a direction did not stand: the logs at both ends of its channel were not compared to their end."
        ),
        what_it_means=(
            "Nothing speaks against the standby, and nothing proves that it holds all that was sent. The link is "
            "`unproven`; plans warn, and prove the position that they move to by themselves."
        ),
        what_to_do=(
            "Wait until both logs are read to their end; then the link is `protected` again. Where that does not come: "
            "look whether a node writes more than is read of it (the lag of the link is unknown then), whether its log "
            "is purged too soon (`binlog_expire_logs_seconds`), and whether the node's other findings say that the "
            "monitor cannot read it."
        ),
    ),
    FindingEntry(
        code="transactions_going_round",
        severities=_SEVERITIES,
        title="Transactions go round between the sides",
        what_happened=(
            "Both channels of the link carry transactions of one server_id, and neither ignores it: an id that a "
            "session set (a log that was replayed, a third server), or one that a node had before."
        ),
        what_it_means=(
            "What comes back to the side on which it was written is applied there again and goes out again, some "
            "hundred times a second. A row without a key gets a copy each time; with a key the channel stops with "
            "1062. The link is not protected, and a switchover is refused."
        ),
        what_to_do=(
            "Add the id to IGNORE_SERVER_IDS of the channel into the side on which it is written: STOP SLAVE, CHANGE "
            "MASTER with the whole list, START SLAVE. The round ends. Then compare the tables and take the copies out, "
            "on each node with `wsrep_on=OFF` and `sql_log_bin=0`."
        ),
    ),
    FindingEntry(
        code="transactions_left_out",
        severities=_SEVERITIES,
        title="Transactions left out",
        what_happened=(
            "A channel passed transactions of its source that its replica's log does not have, or has without the rows "
            "of some tables, which are named: they were skipped (sql_slave_skip_counter), a position was set by hand "
            "behind them (CHANGE MASTER), a filter that is no longer set left them out, or errors were ignored."
        ),
        what_it_means=(
            "The receiving side lacks their rows, unless they changed nothing there. No later transaction brings them. "
            "The link is not protected, and a switchover is refused until they are settled."
        ),
        what_to_do=_WHAT_TO_DO,
    ),
    FindingEntry(
        code="transactions_not_from_source",
        severities=_SEVERITIES,
        title="Transactions that the source did not send",
        what_happened=(
            "The log of a side holds transactions under a server_id of the other side that the channel's source does "
            "not have so often: written there under that id (mariadb-binlog replayed into a client, SET server_id), or "
            "applied twice."
        ),
        what_it_means=(
            "The channel back ignores that server_id: the other side does not have their rows. The link is not "
            "protected, and a switchover is refused until they are settled."
        ),
        what_to_do=_WHAT_TO_DO,
    ),
)
