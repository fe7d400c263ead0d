"""Changing and retiring what is registered."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

_KEPT = "Nothing was changed, neither here nor on a server."


def _entry(code: str, title: str, what_happened: str, what_to_do: str, *, status: int = 409) -> ProblemEntry:
    return ProblemEntry(
        code=code,
        statuses=(status,),
        title=title,
        what_happened=what_happened,
        what_it_means=_KEPT,
        what_to_do=what_to_do,
    )


ENTRIES = (
    _entry(
        "reference_refused",
        "Reference to a password refused",
        "The text is no reference, the settings of the console do not allow what it names, or the account has to stay.",
        "Correct the reference, or let the host's administrator add its folder, variable or path to the setting named.",
        status=400,
    ),
    ProblemEntry(
        code="secret_unavailable",
        statuses=(409,),
        title="Password cannot be read from its store",
        what_happened="The file, variable or vault that a reference names does not give the password now, and the last "
        "value in memory is too old.",
        what_it_means=_KEPT,
        what_to_do="Make the store reachable, correct the reference, or store the password in Hawser.",
    ),
    _entry(
        "advice_changed",
        "Advice changed in the meantime",
        "The advice to dismiss is not given any more: its facts changed, or its nodes were not read lately.",
        "Read the list again, and dismiss what it shows now.",
    ),
    _entry(
        "unaccounted_changed",
        "What is to be settled changed in the meantime",
        "A transaction to settle is not among those that do not stand on both sides: it was settled before, or its "
        "channel is recorded anew. Or an unsafe setting is not listed, or not over.",
        "Read the list again, and settle what it shows now.",
    ),
    _entry(
        "retired",
        "Already retired",
        "The cluster or link was retired. It is kept for its history only.",
        "Use the cluster or link that replaced it, or register it again.",
    ),
    _entry(
        "registration_changed",
        "Registration changed since the plan",
        "The link, an account or address of its clusters, or a webhook of it was changed after this plan was created.",
        "Create a new plan. It is made of the nodes and accounts that are registered now.",
    ),
    _entry(
        "version_changed",
        "Changed in the meantime",
        "Another change was stored after the version that `If-Match` names.",
        "Read it again, check that your change still fits, and send it with the new ETag.",
        status=412,
    ),
    _entry(
        "precondition_required",
        "Version required",
        "The call changes something, and does not say on which version of it the change is based.",
        "Send the ETag that you read as `If-Match`, or `If-Match: *` for any version.",
        status=428,
    ),
    _entry(
        "cluster_in_use",
        "Cluster belongs to a link",
        "A link joins the cluster that is to be retired.",
        "Retire the link that `detail` names, then the cluster.",
    ),
    _entry(
        "trial_failed",
        "Does not work on every node",
        "A node refused the account or the connection, or the account lacks privileges there. `detail` names them.",
        "Correct it on the nodes that `detail` names, or correct what you gave, and try again. A new cluster is not "
        "registered until then; of a registered one the old value is used.",
    ),
    _entry(
        "nodes_not_tried",
        "Not tried on every node",
        "A node did not respond, so that it is unknown whether the new value works there.",
        "Start the node, or remove it if it was decommissioned. Or repeat the change with `accept_unreachable`.",
    ),
    _entry(
        "node_exists",
        "Name already in use",
        "The cluster has a node with this name.",
        "Choose another name.",
    ),
    _entry(
        "too_many_nodes",
        "Node limit reached",
        "The cluster already has as many nodes as one cluster may have (32).",
        "Remove a node that left, then add the new one.",
    ),
    _entry(
        "another_server",
        "Another server responds",
        "The server at this address is not the one that the change is about (server_id).",
        "Check the address. Add another server as a node of its own, or confirm that it replaces the recorded one.",
    ),
    _entry(
        "node_carries_channel",
        "Node carries a channel",
        "A channel runs on the node, or reads from it at the registered address.",
        "Relocate the channel to another node, then repeat the change.",
    ),
    _entry(
        "node_last",
        "Last node of the cluster",
        "A cluster has at least one node, and this is its only one.",
        "Add another node first, or retire the cluster.",
    ),
    _entry(
        "node_only_live",
        "Only live node of the cluster",
        "No other node of the cluster responds.",
        "Start another node, then remove this one.",
    ),
    _entry(
        "node_is_member",
        "Node is a member of its cluster",
        "The cluster counts the node as a member. A member that is not registered would not be fenced.",
        "Stop its server and wait until the cluster counts it no more. Then remove it.",
    ),
    _entry(
        "membership_unknown",
        "Membership unknown",
        "No other node tells whether this one is still a member: none responds, or members are not registered.",
        "Start a node of the cluster, or register its other members. Then remove the node.",
    ),
    _entry(
        "node_in_plan",
        "Node is part of a plan",
        "A plan changes this node and can still be started: the servers are as the plan found them.",
        "Wait until the plan has expired, or run it. Then repeat the change.",
    ),
    _entry(
        "node_cleanup_due",
        "Node may return with a channel",
        "The channel of this node was moved while it was unreachable: if it returns, it replicates again.",
        "Start it and remove the stray channel. Or attest with `attest_gone` that the server was decommissioned.",
    ),
    _entry(
        "state_uuid_differs",
        "Not the cluster that you named",
        "The nodes report another state UUID than the one given, several, or still the recorded one.",
        "Wait until every node has joined the new cluster, then name the state UUID that they report.",
    ),
    _entry(
        "server_not_acceptable",
        "Other servers than those you accept",
        "A node runs another family or release series than the acceptance names, or runs without Galera.",
        "Read the cluster again. Accept what all its nodes run, once they run the same.",
    ),
    _entry(
        "already_accepted",
        "Already accepted",
        "Plans with this family and release series are accepted for the cluster.",
        "Nothing has to be done. To write the acceptance again, withdraw the one in force first.",
    ),
    _entry(
        "not_accepted",
        "Nothing is accepted",
        "No acceptance of untried servers is in force for the cluster: it was withdrawn, or ended.",
        "Read the cluster again.",
    ),
    _entry(
        "reprotect_first",
        "Lost side of a failover",
        "A failover lost this cluster. Its reprotect records the new history and keeps the link.",
        "Reprotect the link that `detail` names.",
    ),
    _entry(
        "retire_link_first",
        "Link needs a second person",
        "Runs on the link need a second person, and so does its retirement.",
        "Retire the link first, then replace the cluster.",
    ),
)
