"""Reads a cluster with an administrator's account. The password is used for this call alone."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

from django.conf import settings
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, invalid
from backend.common.outgoing.addresses import NODES, check_host, policy_of
from backend.common.rest.fields import NAME_PATTERN
from backend.core.discovery.members import Member, members
from backend.core.discovery.servers import DiscoveredServer
from backend.core.discovery.tls import MODES, tls_choice
from backend.gateway.administrator import Discovery, Login, discover
from backend.gateway.connection.endpoint import Tls
from backend.registration.guide.client_certificate import client_of
from backend.registration.guide.content import ANY_HOST, SideDraft, as_json, side_of
from backend.registration.guide.drafts import changed_by_owner, draft_as_seen
from backend.registration.models import RegistrationDraft


def draft_discover(*, actor: str, draft_id: str, side: str, password: str, endpoints_digest: str) -> RegistrationDraft:
    """Connect to the node that the draft names, then to every member, and store what they told. Reads only."""
    draft = draft_as_seen(actor=actor, draft_id=draft_id, seen=endpoints_digest)
    content = side_of(draft, side)
    login = administrator_login(content, side, password, client_of(draft, side, content))
    listed = [(node["host"], node["port"]) for node in content.nodes]
    found = discover((content.host, content.port), listed, login)
    check_entry(found.servers[0], side)

    def store(row: RegistrationDraft) -> None:
        stored = side_of(row, side)
        keep_found(stored, found)
        setattr(row, side, as_json(stored))
        known = members(found.servers)
        audit.record(
            actor=actor,
            action="api:registration:discover",
            target=row.pk,
            facts={
                "side": side,
                "node": f"{content.host}:{content.port}",
                "user": content.administrator,
                "members": len(known),
                "connected": sum(one.is_connected for one in known),
            },
        )

    return changed_by_owner(draft.pk, store, actor=actor, seen=endpoints_digest)


def administrator_login(content: SideDraft, side: str, password: str, client: Tls | None = None) -> Login:
    """The account with the TLS modes that may be tried: never weaker than the one that was chosen."""
    for field, sentence in (("host", "the host name of one node"), ("administrator", "the administrator's account")):
        if not getattr(content, field):
            raise invalid(f"{side}.{field}", f"Enter {sentence} first.")
    check_host(content.host, f"{side}.host")
    modes = MODES[: MODES.index(content.tls_mode) + 1] if content.tls_mode else MODES
    if settings.HAWSER_REQUIRE_VERIFIED_TLS:
        modes = tuple(mode for mode in modes if mode.startswith("verify"))
    return Login(content.administrator, password, modes, content.tls_ca, policy_of(NODES), client or Tls())


def check_entry(server: DiscoveredServer, side: str) -> None:
    """Refuse a node that was not read, with the field at fault and its remedy."""
    where = f"{server.host}:{server.port}"
    if not server.is_up:
        field, remedy = _fault(server)
        raise _failed(side, field, f"{where}: {server.error.rstrip('.')}. {remedy}")
    if not server.state_uuid:
        remedy = "Hawser registers MariaDB servers with Galera. Check the address."
        raise _failed(side, "host", f"{where} reports no Galera cluster. {remedy}")


def _fault(server: DiscoveredServer) -> tuple[str, str]:
    if server.error.startswith("credentials refused"):
        return "password", "Check the account, its password, and whether it may log in from the console."
    if any(one.works is False for one in server.tls) or "TLS" in server.error:
        return "tls.ca", "Give the certificate of the authority, or allow a weaker mode."
    if not server.tls or server.reach != "refused":
        return "host", "Check host and port, and that the console may connect to them."
    return "tls.ca", "Give the certificate of the authority."


def _failed(side: str, field: str, message: str) -> ProblemError:
    return invalid(f"{side}.{field}", f"{message} Nothing was stored.", code="discovery_failed", status=409)


def keep_found(content: SideDraft, found: Discovery) -> None:
    """Take over what was found: members as nodes, the proposed TLS mode, and names where none was typed."""
    content.servers = [one.to_json() for one in found.servers]
    content.discovered_at, content.may_create = timezone.now().isoformat(), found.may_create
    content.tls_mode = tls_choice(found.servers).mode or content.tls_mode
    content.nodes = _nodes(content, members(found.servers))
    suggested = found.servers[0].variables.get("wsrep_cluster_name", "")
    if not content.name and re.fullmatch(NAME_PATTERN, suggested):
        content.name = suggested
    for role, account in content.accounts.items():
        seen_from = found.servers[0].seen_from
        account["host"] = account["host"] or (ANY_HOST if role == "replication" else network_of(seen_from))
    content.forget_check()


def network_of(address: str) -> str:
    """The network of the console's address, as an account's host: other processes of the console may stand beside."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return ANY_HOST
    return f"{address.rpartition('.')[0]}.%" if ip.version == 4 else ANY_HOST


def _nodes(content: SideDraft, found: Sequence[Member]) -> list[dict[str, object]]:
    """Every member with an address, under the name that it was given before or has itself."""
    given = {(node["host"], node["port"]): node["name"] for node in content.nodes}
    nodes: list[dict[str, object]] = []
    for one in found:
        if one.host and one.state in ("connected", "unreached"):
            name = given.get((one.host, one.port)) or _free_name(one, [str(node["name"]) for node in nodes])
            nodes.append({"name": name, "host": one.host, "port": one.port})
    return nodes


def _free_name(member: Member, taken: Sequence[str]) -> str:
    """The member's own name in the letters that a name may have; numbered where it is taken."""
    own = re.sub(r"[^A-Za-z0-9 ._-]", "-", member.name).strip("-. _")[:55] or "node"
    names = (own, *(f"{own}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)
