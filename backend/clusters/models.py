"""Clusters, nodes, accounts, acceptances and links, each with the identity recorded at registration.

Every change of a registration raises the `version` of its cluster or link: callers change the version that they read,
and plans made before are refused. A retired row stays for the history of its runs; its name is free again, because
`retired_key` is part of the unique key.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from django.db import models

from backend.common import ids
from backend.core.connection_names import LIMIT_BYTES
from backend.core.topology import AcceptedServer, NodeRef
from backend.gateway.connection.endpoint import TlsMode


class CredentialRole(StrEnum):
    """The three accounts of a cluster, by privileges."""

    MONITOR = "monitor"
    OPERATOR = "operator"
    REPLICATION = "replication"


class Cluster(models.Model):
    """A Galera cluster.

    `tls_ca` may hold several authorities: while one replaces another, both are trusted. `tls_cert` is what the console
    shows the servers; its key is encrypted for this cluster only, or stays in a store.

    `state_uuid` is the one recorded at registration or accepted since. `known_server_ids` maps node ids to the last
    server_id observed there, also for nodes that are down; those of replaced servers stay under keys of their own, and
    so do ids under which the cluster logged its writes. `logged_origins` are `DOMAIN-SERVER_ID` of everything that was
    seen in the logs of its nodes.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.cluster_id, editable=False)
    name = models.CharField(max_length=63)
    site = models.CharField(max_length=63)
    tls_mode = models.CharField(max_length=16, choices=[(mode.value, mode.value) for mode in TlsMode])
    tls_ca = models.TextField(blank=True)
    tls_cert = models.TextField(blank=True, default="", db_default="")
    tls_key_sealed = models.TextField(blank=True, default="", db_default="")
    tls_key_reference = models.CharField(max_length=300, null=True)  # noqa: DJ001 -- null is "sealed here, or none"
    state_uuid = models.CharField(max_length=36, null=True)  # noqa: DJ001 -- null is "never seen"
    known_server_ids = models.JSONField(default=dict)
    logged_origins = models.JSONField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    environment = models.CharField(max_length=40, blank=True, default="", db_default="")
    retired_at = models.DateTimeField(null=True)
    retired_key = models.CharField(max_length=14, default="", blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "retired_key"], name="cluster_name")]

    def __str__(self) -> str:
        return self.name


class ServerAcceptance(models.Model):
    """What an administrator accepted in writing: plans with servers of a family and series that was never tried.

    `open_cluster` is the cluster while the acceptance is in force: each has at most one. A row stays for the record
    once it is withdrawn, or ended because a server of another series was observed.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.server_acceptance_id, editable=False)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="acceptances")
    open_cluster = models.CharField(max_length=14, null=True, unique=True)  # noqa: DJ001 -- null is "ended"
    flavor = models.CharField(max_length=20)
    series = models.CharField(max_length=20)
    text = models.TextField()
    accepted_by = models.CharField(max_length=80)
    accepted_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=80, blank=True)
    end_reason = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.flavor} {self.series}"

    @property
    def accepted(self) -> AcceptedServer:
        """The acceptance in the core's form."""
        return AcceptedServer(self.flavor, self.series, self.text, self.accepted_by, self.accepted_at.timestamp())


class Node(models.Model):
    """A server of a cluster.

    `server` and `server_id` are the identity of the server that was first observed here, or confirmed since: another
    one at this address is a replacement, which a person has to confirm.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.node_id, editable=False)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="nodes")
    name = models.CharField(max_length=63)
    host = models.CharField(max_length=253)
    port = models.PositiveIntegerField()
    ordinal = models.PositiveSmallIntegerField(default=0)
    server = models.CharField(max_length=700, blank=True, default="")
    server_id = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["host", "port"], name="node_address"),
            models.UniqueConstraint(fields=["cluster", "name"], name="node_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def ref(self) -> NodeRef:
        """The node in the core's form."""
        return NodeRef(self.id, self.name, self.host, self.port, self.cluster_id)


class Credential(models.Model):
    """An account of a cluster; its password is encrypted for this cluster and role only, or stays in a store.

    `reference` says where; `sealed` is empty then. `read_at` and `read_problem` are what the monitor last found there.
    During a rotation `other_sealed` is the new password, and once `is_rotated` the old one.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.credential_id, editable=False)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="credentials")
    role = models.CharField(max_length=12, choices=[(role.value, role.value) for role in CredentialRole])
    user = models.CharField(max_length=128)
    sealed = models.TextField()
    reference = models.CharField(max_length=300, null=True)  # noqa: DJ001 -- null is "sealed here"
    read_at = models.DateTimeField(null=True)
    read_problem = models.TextField(null=True)  # noqa: DJ001 -- null is "never read, or read without a problem"
    rotation_run = models.CharField(max_length=14, null=True)  # noqa: DJ001 -- null is "no rotation is open"
    other_sealed = models.TextField(null=True)  # noqa: DJ001 -- null is "no rotation is open"
    is_rotated = models.BooleanField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cluster", "role"], name="credential_role")]

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.role}"


class Link(models.Model):
    """A pair of clusters joined by a forward and a reverse channel.

    `home_cluster` is the side that is active when all is well: a failback leads there. Until `paused_until` the link is
    in maintenance: it is observed and keeps its journal, but no webhook is told, and nothing starts automatically.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.link_id, editable=False)
    name = models.CharField(max_length=63)
    active_cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="active_in")
    standby_cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="standby_in")
    home_cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, null=True, related_name="+")
    channel_name = models.CharField(max_length=LIMIT_BYTES, blank=True)
    requires_approval = models.BooleanField(default=False)
    writes_on_both_sides = models.BooleanField(default=False, db_default=False)
    version = models.PositiveIntegerField(default=1)
    paused_until = models.DateTimeField(null=True)
    paused_by = models.CharField(max_length=80, blank=True)
    pause_reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    environment = models.CharField(max_length=40, blank=True, default="", db_default="")
    retired_at = models.DateTimeField(null=True)
    retired_key = models.CharField(max_length=14, default="", blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "retired_key"], name="link_name")]

    def __str__(self) -> str:
        return self.name

    def is_paused(self, now: datetime) -> bool:
        """Whether the link is in maintenance."""
        return self.paused_until is not None and now < self.paused_until
