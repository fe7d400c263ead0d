"""The accounts of a MySQL pair as the console knows them."""

from __future__ import annotations

from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls, TlsMode
from deploy.lab.mysql.pair import Pair
from deploy.lab.mysql.server import MysqlServer


def verified(pair: Pair) -> Tls:
    """The certificate and the name of the server are verified."""
    return Tls(TlsMode.VERIFY_IDENTITY, pair.ca.read_text())


def endpoint(
    pair: Pair, server: MysqlServer, role: str, tls: Tls | None = None, password: str | None = None
) -> NodeEndpoint:
    """An account on a server of the pair; its certificate is verified unless told otherwise."""
    account, node = pair.accounts[role], server.node
    secret = account.password if password is None else password
    return NodeEndpoint(node.host, node.port, account.user, secret, tls or verified(pair))


def access(pair: Pair, server: MysqlServer) -> NodeAccess:
    """A server with its accounts; its name is its id, its site its cluster."""
    node = server.node
    ref = NodeRef(node.name, node.name, node.host, node.port, node.site)
    return NodeAccess(ref, endpoint(pair, server, "monitor"), endpoint(pair, server, "operator"))
