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
            "Use another address, or have it allowed (`HAWSER_ALLOWED_NETWORKS`, for webhooks `HAWSER_HOOK_NETWORKS`, "
            "for push services `HAWSER_WEB_PUSH_NETWORKS`)."
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
    ProblemEntry(
        code="discovery_failed",
        statuses=(409,),
        title="Cluster not discovered",
        what_happened="The node could not be connected to, refused the administrator's account, or is no Galera node.",
        what_it_means="Nothing was stored, and nothing was changed on a server.",
        what_to_do="Correct the field that `errors` names, then repeat the step.",
    ),
    ProblemEntry(
        code="discover_first",
        statuses=(409,),
        title="An earlier step is missing",
        what_happened="The step needs what an earlier step of the guided registration finds or stores.",
        what_it_means="Nothing was sent to a server.",
        what_to_do="Do the step that `detail` names.",
    ),
    ProblemEntry(
        code="statements_changed",
        statuses=(409,),
        title="Other statements than confirmed",
        what_happened="The digest is not that of the statements which would be sent now.",
        what_it_means="No statement was sent.",
        what_to_do="Read the statements again, and confirm them with their new digest.",
    ),
    ProblemEntry(
        code="account_exists",
        statuses=(409,),
        title="Account exists on the server",
        what_happened="An account of that name exists with another password, or it is unknown whether one exists.",
        what_it_means="No statement was sent. The account may belong to another user or another console.",
        what_to_do="Choose another account name, or enter the accounts that exist.",
    ),
    ProblemEntry(
        code="accounts_not_created",
        statuses=(409,),
        title="Accounts not complete",
        what_happened="The server refused one of the confirmed statements.",
        what_it_means="The statements before it are done and stay. Those after it were not sent.",
        what_to_do="Grant the administrator what `detail` names, then repeat: what is done is not repeated.",
    ),
    ProblemEntry(
        code="registration_open_points",
        statuses=(409,),
        title="Points are open",
        what_happened="Something that a link needs is missing, wrong or unknown.",
        what_it_means="Nothing was registered.",
        what_to_do="Fix what `detail` names. Points that may stay open are accepted with `accept_open`.",
    ),
    ProblemEntry(
        code="registration_done",
        statuses=(409,),
        title="Already registered",
        what_happened="The guided registration has ended with a link.",
        what_it_means="Nothing was changed.",
        what_to_do="Change the link or its clusters, or start another guided registration.",
    ),
    ProblemEntry(
        code="too_many_registrations",
        statuses=(409,),
        title="Limit of guided registrations reached",
        what_happened="As many guided registrations are unfinished as the console keeps (20).",
        what_it_means="None was started.",
        what_to_do="Finish one, or delete one that is not needed.",
    ),
)
