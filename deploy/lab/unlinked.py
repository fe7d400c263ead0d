"""Two clusters as a newcomer has them: no channels and none of the console's accounts or tables, one administrator."""

from __future__ import annotations

import secrets

from deploy.lab import cluster
from deploy.lab.channels import forget_all
from deploy.lab.cluster import LabContext, admin
from deploy.lab.layout import SITES
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import rows

USER = "dba"
_WITHOUT_CONSOLE = (
    "DROP USER hawser_monitor, hawser_operator, hawser_repl",
    "DROP DATABASE hawser",
    "CREATE USER {user}@'%' IDENTIFIED BY '{password}'",
    "GRANT ALL PRIVILEGES ON *.* TO {user}@'%' WITH GRANT OPTION",
)


def unlink(ground: LabContext) -> Account:
    """Remove both channels and what a console needs; returns the administrator who may log in from anywhere.

    Statements of accounts are replicated inside a cluster, so one node of each is enough.
    """
    dba = Account(USER, secrets.token_hex(15))
    for node in ground.nodes:
        with admin(ground, node) as connection:
            forget_all(connection)
    for site in SITES:
        with admin(ground, ground.members(site)[0]) as connection:
            for statement in _WITHOUT_CONSOLE:
                rows(connection, statement.format(user=dba.user, password=dba.password))
    cluster.wait_synced(ground, list(ground.nodes))
    return dba
