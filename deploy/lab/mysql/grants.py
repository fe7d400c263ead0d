"""Accounts and their grants on MySQL's families: the least that works, as measured on MySQL 9.7.4 by taking every
privilege alone and running every statement.

| statement | needs |
|---|---|
| SHOW BINARY LOG STATUS, SHOW BINARY LOGS, SHOW REPLICA STATUS | REPLICATION CLIENT |
| SHOW BINLOG EVENTS, SHOW RELAYLOG EVENTS, SHOW REPLICAS, streaming a binary log | REPLICATION SLAVE |
| other sessions in the process list, INNODB_TRX | PROCESS |
| performance_schema.replication_*, performance_schema.log_status, mysql.gtid_executed | SELECT on them |
| @@GLOBAL.gtid_executed, SHOW GLOBAL STATUS | nothing |
| STOP REPLICA, START REPLICA, CHANGE REPLICATION SOURCE | REPLICATION_SLAVE_ADMIN |
| RESET REPLICA ALL, FLUSH BINARY LOGS | RELOAD |
| SET GLOBAL read_only, super_read_only, gtid_purged, event_scheduler | SYSTEM_VARIABLES_ADMIN |
| writing while read_only is ON (not while super_read_only is) | CONNECTION_ADMIN |
"""

from __future__ import annotations

from deploy.lab.server.accounts import Account

GRANTS = {
    "admin": ["GRANT ALL PRIVILEGES ON *.* TO {account} WITH GRANT OPTION"],
    "monitor": [
        "GRANT PROCESS, REPLICATION CLIENT, REPLICATION SLAVE, REFERENCES ON *.* TO {account}",
        "GRANT SELECT ON performance_schema.* TO {account}",
        "GRANT SELECT ON mysql.gtid_executed TO {account}",
        "GRANT SELECT ON hawser.* TO {account}",
    ],
    "operator": [
        "GRANT RELOAD, REPLICATION_SLAVE_ADMIN, SYSTEM_VARIABLES_ADMIN, CONNECTION_ADMIN ON *.* TO {account}",
        "GRANT CREATE, SELECT, INSERT, DELETE ON hawser.* TO {account}",
        "GRANT SELECT, INSERT, UPDATE, DELETE, TRIGGER ON bank.* TO {account}",
    ],
    "replication": ["GRANT REPLICATION SLAVE ON *.* TO {account}"],
    "app": ["GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX ON bank.* TO {account}"],
}


def account_sql(accounts: dict[str, Account]) -> list[str]:
    """Statements that create every account of the table above. The admin exists on the unix socket only."""
    statements: list[str] = []
    for role, grants in GRANTS.items():
        name = f"'{accounts[role].user}'@'{'localhost' if role == 'admin' else '%'}'"
        statements.append(f"CREATE USER {name} IDENTIFIED WITH caching_sha2_password BY '{accounts[role].password}'")
        statements += [grant.format(account=name) for grant in grants]
    return statements
