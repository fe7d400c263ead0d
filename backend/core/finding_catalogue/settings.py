"""Settings of the binary log."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="binlog_complete",
        severities=(Severity.OK,),
        title="Binary log complete",
        what_happened="The node writes a row-based binary log that includes replicated transactions.",
        what_it_means="The node can be source or replica of a channel.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="log_bin_wrong",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Binary log off",
        what_happened="A node that the plan needs does not write a binary log (`log_bin=OFF`).",
        what_it_means="The plan is refused. No channel can read from the node, and no position can be proven on it.",
        what_to_do="Choose another node. Or set `log_bin` in the configuration of the node and restart it.",
    ),
    FindingEntry(
        code="log_bin_unknown",
        severities=(Severity.UNKNOWN,),
        title="log_bin unknown",
        what_happened="The variable `log_bin` of a node that the plan needs could not be read.",
        what_it_means="The plan is refused, because the node may not write a binary log.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="log_slave_updates_wrong",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Replicated transactions not logged",
        what_happened="A node that the plan needs runs with `log_slave_updates=OFF`.",
        what_it_means=(
            "The plan is refused. Its binary log lacks what other nodes wrote, and channels applied on it may not "
            "spread."
        ),
        what_to_do="Choose another node. Or set `log_slave_updates=ON` in the configuration and restart it.",
    ),
    FindingEntry(
        code="log_slave_updates_unknown",
        severities=(Severity.UNKNOWN,),
        title="log_slave_updates unknown",
        what_happened="The variable `log_slave_updates` of a node that the plan needs could not be read.",
        what_it_means="The plan is refused, because its binary log may be incomplete.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="binlog_format_wrong",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Binary log not row-based",
        what_happened="A node that the plan needs does not run with `binlog_format=ROW`.",
        what_it_means="The plan is refused. Statements can have different effects on the other side.",
        what_to_do="Choose another node. Or set `binlog_format=ROW` in the configuration and restart it.",
    ),
    FindingEntry(
        code="binlog_format_unknown",
        severities=(Severity.UNKNOWN,),
        title="binlog_format unknown",
        what_happened="The variable `binlog_format` of a node that the plan needs could not be read.",
        what_it_means="The plan is refused, because its binary log may not be row-based.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="log_filter_set",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Binary log leaves schemas out",
        what_happened=(
            "A node runs with `binlog_do_db` or `binlog_ignore_db`: `Binlog_Do_DB` or `Binlog_Ignore_DB` of `SHOW "
            "MASTER STATUS` is not empty."
        ),
        what_it_means=(
            "What its clients write in these schemas reaches neither the other side nor the other nodes of its own "
            "cluster, without any error. As the source of a channel it leaves out what every node writes there. A plan "
            "that uses the node is refused; a failover only warns. Rows may be missing already."
        ),
        what_to_do=(
            "Remove the lines from the configuration of the node and restart it. Then compare the data of these "
            "schemas on all nodes of both clusters."
        ),
    ),
    FindingEntry(
        code="log_filter_unknown",
        severities=(Severity.UNKNOWN,),
        title="Filters of the binary log unknown",
        what_happened=(
            "`SHOW MASTER STATUS` of a node could not be read, and no variable tells its filters before 11.4."
        ),
        what_it_means="A plan that uses the node is refused, because its log may leave schemas out.",
        what_to_do="Grant `BINLOG MONITOR` to the monitor account of the node.",
    ),
    FindingEntry(
        code="commit_order_not_guaranteed",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Commit order not guaranteed",
        what_happened="A node runs with a `repl.commit_order` below 3.",
        what_it_means=(
            "The plan is refused. The nodes may log transactions in different orders, so positions are not comparable."
        ),
        what_to_do="Set `repl.commit_order=3` in `wsrep_provider_options` of the node and restart it.",
    ),
    FindingEntry(
        code="commit_order_unknown",
        severities=(Severity.UNKNOWN,),
        title="Commit order unknown",
        what_happened="The setting `repl.commit_order` of a node could not be read.",
        what_it_means="The plan is refused, because the nodes may log transactions in different orders.",
        what_to_do=(
            "Every account may read `wsrep_provider_options`. Check that Galera is loaded (`wsrep_provider`), and "
            "that no proxy responds."
        ),
    ),
    FindingEntry(
        code="row_image_unknown",
        severities=(Severity.UNKNOWN,),
        title="Row image setting unknown",
        what_happened="The variable `binlog_row_image` of a node could not be read.",
        what_it_means="The plan is refused, because the contents of the two logs may not be comparable.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="row_image_partial",
        severities=(Severity.WARNING,),
        title="Row images incomplete",
        what_happened="A node runs with a `binlog_row_image` other than `FULL`.",
        what_it_means=(
            "Less evidence is available for a position. Orphaned transactions logged there can be neither replayed "
            "nor undone."
        ),
        what_to_do="Set `binlog_row_image=FULL` in the configuration of the node and restart it.",
    ),
    FindingEntry(
        code="log_compression_differs",
        severities=(Severity.WARNING,),
        title="Log compression differs",
        what_happened="`log_bin_compress` or `log_bin_compress_min_len` differs between nodes.",
        what_it_means="Sizes of compressed rows cannot be compared, so less evidence is available for a position.",
        what_to_do="Give both variables the same values on all nodes of both clusters.",
    ),
    FindingEntry(
        code="statement_text_dropped",
        severities=(Severity.WARNING,),
        title="Statement texts not forwarded",
        what_happened="A node runs with `replicate_annotate_row_events=OFF`.",
        what_it_means=(
            "Transactions of its channels are logged without statement texts, so less evidence is available for a "
            "position."
        ),
        what_to_do="Set `replicate_annotate_row_events=ON` in the configuration of the node and restart it.",
    ),
    FindingEntry(
        code="statement_text_not_logged",
        severities=(Severity.WARNING,),
        title="Statement texts not logged",
        what_happened="A node runs with `binlog_annotate_row_events=OFF`.",
        what_it_means="Transactions of its clients are logged without statement texts and are harder to distinguish.",
        what_to_do="Run `SET GLOBAL binlog_annotate_row_events = ON` there and set it in the configuration as well.",
    ),
)
