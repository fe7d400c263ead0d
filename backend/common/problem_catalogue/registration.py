"""Registering clusters, links and webhooks."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="cluster_exists",
        statuses=(409,),
        title="Name already in use",
        what_happened="A cluster with this name is registered, or this cluster is.",
        what_it_means="No cluster was registered.",
        what_to_do="Choose another name, or use the cluster that is registered.",
    ),
    ProblemEntry(
        code="cluster_registered",
        statuses=(409,),
        title="Cluster already registered",
        what_happened="The nodes belong to a cluster that is registered under another name (same state UUID).",
        what_it_means="No cluster was registered.",
        what_to_do="Use the registered cluster that `detail` names. Check that the addresses are the intended ones.",
    ),
    ProblemEntry(
        code="not_one_cluster",
        statuses=(409,),
        title="Nodes of different clusters",
        what_happened="The given nodes report different cluster state UUIDs.",
        what_it_means="No cluster was registered.",
        what_to_do="Register only nodes of one cluster. Check whether a node was bootstrapped separately.",
    ),
    ProblemEntry(
        code="address_taken",
        statuses=(409,),
        title="Node already registered",
        what_happened="A node with this host and port is registered.",
        what_it_means="No cluster was registered.",
        what_to_do="Check the address. Use the registered node and its cluster if it is the same server.",
    ),
    ProblemEntry(
        code="address_refused",
        statuses=(400,),
        title="Address not allowed",
        what_happened="The address lies outside the allowed networks, or it is a part of Hawser itself.",
        what_it_means="Nothing was stored, and no connection was made.",
        what_to_do=(
            "Use another address, or have it allowed (`HAWSER_ALLOWED_NETWORKS`, for webhooks `HAWSER_HOOK_NETWORKS`)."
        ),
    ),
    ProblemEntry(
        code="link_exists",
        statuses=(409,),
        title="Name already in use",
        what_happened="A link with this name exists, or the two clusters are already joined by a link.",
        what_it_means="No link was created. No channel was changed.",
        what_to_do="Choose another name, or use the link that `detail` names.",
    ),
    ProblemEntry(
        code="hook_exists",
        statuses=(409,),
        title="Name already in use",
        what_happened="The link has a webhook with this name.",
        what_it_means="No webhook was created or renamed.",
        what_to_do="Choose another name.",
    ),
    ProblemEntry(
        code="too_many_hooks",
        statuses=(409,),
        title="Webhook limit reached",
        what_happened="The link already has as many webhooks as one link may have (50).",
        what_it_means="No webhook was created.",
        what_to_do="Delete a webhook that is not needed, then create the new one.",
    ),
)
