"""Does what the differences say, by the services that the API and the other commands use, each in its transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.clusters.models import CredentialRole
from backend.clusters.services import cluster_register, link_register
from backend.common.errors import ProblemError
from backend.common.sealing import SealError
from backend.registration.changes import Change
from backend.registration.clusters import cluster_update
from backend.registration.command_line import cluster_named, link_named, node_named
from backend.registration.credentials import credential_replace
from backend.registration.declaration.difference import Difference, Kind, Operation
from backend.registration.declaration.document import Declaration
from backend.registration.declaration.report import Outcome, Result
from backend.registration.declaration.state import AccountState, ClusterState, LinkState
from backend.registration.declaration.stored import StoredRegistration
from backend.registration.links import link_update
from backend.registration.nodes import node_add, node_update
from backend.registration.removal import node_remove


def apply_in_order(found: Sequence[Difference], apply: Callable[[Difference], str]) -> Iterator[Result]:
    """Apply each difference until one is refused; those after it are not done."""
    outcome = Outcome.DONE
    for difference in found:
        note = ""
        if outcome is not Outcome.DONE:
            outcome = Outcome.NOT_DONE
        else:
            try:
                note = apply(difference)
            except ProblemError as error:
                outcome, note = Outcome.REFUSED, error.detail
            except SealError as error:
                outcome, note = Outcome.REFUSED, f"{error} Configure the key that it was encrypted with."
        yield Result(difference, outcome, note)


class Executor:
    """Applies differences in their order.

    Each change is decided on the version that was compared, plus the own changes since: one by another administrator
    in between is refused (`version_changed`).
    """

    def __init__(
        self, change: Change, declaration: Declaration, stored: StoredRegistration, *, accept_unreachable: bool
    ) -> None:
        self._change, self._declaration = change, declaration
        self._accept_unreachable = accept_unreachable
        self._clusters, self._links = dict(stored.cluster_versions), dict(stored.link_versions)

    def apply(self, difference: Difference) -> str:
        """Do it; returns what is still to wait for, or nothing. Raises ProblemError, and then nothing was changed."""
        return self._doers()[difference.kind, difference.operation](difference) or ""

    def _doers(self) -> Mapping[tuple[Kind, Operation], Callable[[Difference], str | None]]:
        return {
            (Kind.CLUSTER, Operation.ADD): self._register_cluster,
            (Kind.CLUSTER, Operation.CHANGE): self._change_cluster,
            (Kind.ACCOUNT, Operation.CHANGE): self._replace_account,
            (Kind.NODE, Operation.ADD): self._add_node,
            (Kind.NODE, Operation.CHANGE): self._change_node,
            (Kind.NODE, Operation.REMOVE): self._remove_node,
            (Kind.LINK, Operation.ADD): self._register_link,
            (Kind.LINK, Operation.CHANGE): self._change_link,
        }

    def _register_cluster(self, difference: Difference) -> str:
        cluster = self._cluster(difference)
        registered = cluster_register(
            **self._by(),
            name=cluster.name,
            site=cluster.site,
            nodes=[{"name": node.name, "host": node.host, "port": node.port} for node in cluster.nodes],
            credentials={
                role: {"user": account.user, **self._password(cluster.name, role, account)}
                for role, account in cluster.accounts.items()
            },
            tls=self._tls(cluster),
        )
        self._clusters[cluster.name] = registered.version
        is_seen = registered.state_uuid is not None
        return "" if is_seen else "No node responded: it is unknown whether addresses and accounts are correct."

    def _change_cluster(self, difference: Difference) -> None:
        cluster = self._cluster(difference)
        names = {field.name for field in difference.fields}
        tls = self._tls(cluster) if any(name.startswith("tls.") for name in names) else None
        site = cluster.site if "site" in names else None
        change, stored = self._decided_on_cluster(difference), cluster_named(cluster.name)
        cluster_update(change=change, cluster=stored, site=site, tls=tls, **self._trying(cluster.name))
        self._clusters[cluster.name] += 1

    def _tls(self, cluster: ClusterState) -> dict[str, str]:
        """How to connect; a client certificate that is not declared stays."""
        tls = {"mode": cluster.tls_mode, "ca": cluster.tls_ca}
        if cluster.client is None:
            return tls
        key = self._declaration.keys.get(cluster.name)
        given = {"key_reference": cluster.client.key} if key is None else {"private_key": key}
        return {**tls, "cert": cluster.client.cert, **given}

    def _replace_account(self, difference: Difference) -> None:
        name, role = difference.cluster, difference.name
        account = self._cluster(difference).accounts[role]
        credential_replace(
            change=self._decided_on_cluster(difference),
            cluster=cluster_named(name),
            role=CredentialRole(role),
            user=account.user,
            **self._password(name, role, account),
            accept_unreachable=self._accept_unreachable,
        )
        self._clusters[name] += 1

    def _password(self, cluster: str, role: str, account: AccountState) -> dict[str, str]:
        """The password, or where it stays."""
        if account.reference:
            return {"reference": account.reference}
        return {"password": self._declaration.passwords[cluster, role]}

    def _trying(self, cluster: str) -> dict[str, Any]:
        """What a change needs that logs in elsewhere."""
        known = {role: password for (name, role), password in self._declaration.passwords.items() if name == cluster}
        return {"passwords": known, "accept_unreachable": self._accept_unreachable}

    def _add_node(self, difference: Difference) -> None:
        node_add(
            change=self._decided_on_cluster(difference),
            cluster=cluster_named(difference.cluster),
            name=difference.name,
            host=difference.after("host"),
            port=difference.after("port"),
            **self._trying(difference.cluster),
        )
        self._clusters[difference.cluster] += 1

    def _change_node(self, difference: Difference) -> None:
        node = node_named(cluster_named(difference.cluster), difference.name)
        given = {field.name: field.after for field in difference.fields}
        change = self._decided_on_cluster(difference)
        node_update(change=change, node=node, **self._trying(difference.cluster), **given)
        self._clusters[difference.cluster] += 1

    def _remove_node(self, difference: Difference) -> None:
        node = node_named(cluster_named(difference.cluster), difference.name)
        node_remove(change=self._decided_on_cluster(difference), node=node)
        self._clusters[difference.cluster] += 1

    def _register_link(self, difference: Difference) -> None:
        link = self._link(difference)
        (standby,) = link.clusters - {link.home}
        link_register(
            **self._by(),
            name=link.name,
            active_cluster=cluster_named(link.home).pk,
            standby_cluster=cluster_named(standby).pk,
            channel_name=link.channel_name,
            create_probe=link.create_probe,
            requires_approval=bool(link.requires_approval),
            writes_on_both_sides=bool(link.writes_on_both_sides),
        )

    def _change_link(self, difference: Difference) -> str:
        given = {field.name: field.after for field in difference.fields}
        if "home" in given:
            given["home_cluster"] = cluster_named(given.pop("home")).pk
        change = replace(self._change, version=self._links[difference.name])
        link = link_update(change=change, link=link_named(difference.name), **given)
        if given.get("requires_approval") is False and link.requires_approval:
            return "The end of the approval rule waits for a second administrator, or for its waiting time."
        return ""

    def _decided_on_cluster(self, difference: Difference) -> Change:
        return replace(self._change, version=self._clusters[difference.cluster])

    def _by(self) -> dict[str, Any]:
        return {"actor": self._change.actor, "reason": self._change.reason, "source": self._change.source}

    def _cluster(self, difference: Difference) -> ClusterState:
        return next(one for one in self._declaration.state.clusters if one.name == difference.cluster)

    def _link(self, difference: Difference) -> LinkState:
        return next(one for one in self._declaration.state.links if one.name == difference.name)
