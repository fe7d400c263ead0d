"""Accounts and their grants on the lab's clusters: the least that works, as measured on MariaDB 10.11.19 by taking
every privilege alone and running every statement.

| statement | needs | does not need |
|---|---|---|
| SHOW ALL SLAVES STATUS, SHOW RELAYLOG EVENTS | SLAVE MONITOR | REPLICATION SLAVE |
| SHOW MASTER STATUS, SHOW BINARY LOGS, SHOW BINLOG EVENTS | BINLOG MONITOR | REPLICATION SLAVE |
| SHOW GLOBAL STATUS LIKE 'wsrep%', @@wsrep_provider_options, @@gtid_*, BINLOG_GTID_POS, MASTER_POS_WAIT | nothing | |
| other sessions in the process list, INNODB_TRX, SHOW ENGINE INNODB STATUS | PROCESS | |
| SHOW SLAVE HOSTS | REPLICATION MASTER ADMIN (may change server ids: not given; see the process list instead) | |
| streaming a binlog by the dump protocol (mariadb-binlog --read-from-remote-server) | REPLICATION SLAVE | |
| tables and columns in information_schema, SHOW CREATE TABLE, without reading a row | REFERENCES | SELECT |
| the list of events | SELECT on mysql.event | EVENT (which may also create events) |
| STOP SLAVE, START SLAVE [UNTIL], CHANGE MASTER, SET GLOBAL gtid_slave_pos, gtid_strict_mode, slave_net_timeout | \
REPLICATION SLAVE ADMIN | SUPER |
| RESET SLAVE [ALL] | RELOAD (neither SUPER nor REPLICATION SLAVE ADMIN will do) | |
| FLUSH BINARY LOGS, FLUSH RELAY LOGS | RELOAD | |
| SET GLOBAL read_only; writing while it is ON | READ_ONLY ADMIN (SUPER will not do) | |
| KILL of an own session | nothing | |
| KILL of another account's session | CONNECTION ADMIN (not given) | |
| SET GLOBAL wsrep_reject_queries, wsrep_desync, wsrep_restart_slave, event_scheduler | SUPER (not given) | |
| SHOW WARNINGS, SET SESSION max_statement_time | nothing | |
| CREATE DATABASE hawser, its table, probe rows | CREATE, INSERT, ... on hawser.* | anything global |
| replay and undo of orphans (only where a link shall offer them) | SELECT, INSERT, UPDATE, DELETE on the \
application's schema; TRIGGER there, without which the list of triggers is empty | anything global |
"""

from __future__ import annotations

from deploy.lab.server.accounts import Account

GRANTS = {
    "admin": ["GRANT ALL PRIVILEGES ON *.* TO {account} WITH GRANT OPTION"],
    "monitor": [
        "GRANT PROCESS, BINLOG MONITOR, SLAVE MONITOR, REPLICATION SLAVE, REFERENCES ON *.* TO {account}",
        "GRANT SELECT ON `hawser`.* TO {account}",
        "GRANT SELECT ON `mysql`.`event` TO {account}",
    ],
    "operator": [
        "GRANT REPLICATION SLAVE ADMIN, RELOAD, READ_ONLY ADMIN ON *.* TO {account}",
        "GRANT CREATE, SELECT, INSERT, DELETE ON `hawser`.* TO {account}",
        "GRANT SELECT, INSERT, UPDATE, DELETE, TRIGGER ON `bank`.* TO {account}",
    ],
    "replication": ["GRANT REPLICATION SLAVE ON *.* TO {account}"],
    "app": ["GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX ON `bank`.* TO {account}"],
}
"""Those of the console's accounts are the documented ones and no more (tests/backend/test_needed_grants.py)."""


def account_sql(accounts: dict[str, Account]) -> list[str]:
    """Statements that create every account. The admin exists on the unix socket only."""
    statements: list[str] = []
    for role, account in accounts.items():
        host = "localhost" if role == "admin" else "%"
        name = f"'{account.user}'@'{host}'"
        statements.append(f"CREATE USER {name} IDENTIFIED BY '{account.password}'")
        statements += [grant.format(account=name) for grant in GRANTS[role]]
    return statements
