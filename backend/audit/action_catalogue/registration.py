"""Changes and retirement of registered clusters, nodes and links."""

from __future__ import annotations

from backend.audit.action_catalogue.entry import ActionEntry, Values
from backend.common.documented_field import DocumentedField

_ADMIN = "An administrator."
_OPERATOR = "An operator."
_CLUSTER = "`target`: id of the cluster; `link_id` where one link joins it"
_NODE = "`target`: id of the node; `link_id` where one link joins its cluster"
_LINK = "`link_id` and `target`: id of the link"
_IN = DocumentedField("cluster", "string", "name of the node's cluster")
_NAME = DocumentedField("name", "string", "its name")


def _both(*actions: str) -> tuple[str, ...]:
    """Through the API and by a command on the console's host."""
    return tuple(f"{source}:{action}" for action in actions for source in ("api", "cli"))


def _before(what: str) -> DocumentedField:
    return DocumentedField("before", "object", f"{what} until then")


def _after(what: str) -> DocumentedField:
    return DocumentedField("after", "object", f"{what} from then on")


CHANGES = (
    ActionEntry(
        actions=_both("cluster:update"),
        title="A cluster was changed",
        who=_ADMIN,
        recorded_when="Its name, its site or the way to connect was changed.",
        identifies=_CLUSTER,
        values=Values.BOTH,
        facts=(
            _before("`name`, `site`, `tls_mode`, and whether there is a certificate (`tls_ca`),"),
            _after("the same"),
        ),
    ),
    ActionEntry(
        actions=_both("cluster:replace_credential"),
        title="An account of a cluster was replaced",
        who=_ADMIN,
        recorded_when="The new account was tried and stored. No password is in any record.",
        identifies=_CLUSTER,
        values=Values.BOTH,
        facts=(
            DocumentedField("role", "string", "`monitor`, `operator` or `replication`"),
            _before("`user`, the name of the account,"),
            _after("the same"),
            DocumentedField("not_tried_on", "list of strings", "nodes that did not respond, which was accepted"),
        ),
    ),
    ActionEntry(
        actions=_both("cluster:replace"),
        title="A cluster was replaced by a new one",
        who=_ADMIN,
        recorded_when="Another cluster at the same addresses was registered, and the old one and its links retired.",
        identifies="`target`: id of the new cluster; `link_id` where one link joined the old one",
        values=Values.BOTH,
        facts=(
            _NAME,
            _before("`cluster` (its id) and `state_uuid`"),
            _after("the same"),
            DocumentedField("retired_links", "list of strings", "names of the links that were retired with it"),
        ),
    ),
    ActionEntry(
        actions=_both("cluster:accept_server"),
        title="Plans with untried servers were accepted",
        who=_ADMIN,
        recorded_when=(
            "An administrator accepted in writing that plans are made with a family and release series that Hawser was "
            "never tried with. `reason` is the text."
        ),
        identifies=_CLUSTER,
        values=Values.BOTH,
        facts=(
            _NAME,
            DocumentedField("before", "object or null", "`flavor`, `series` and `accepted_by` of the one superseded"),
            _after("the same"),
        ),
    ),
    ActionEntry(
        actions=_both("cluster:withdraw_acceptance"),
        title="An acceptance of untried servers was withdrawn",
        who=_ADMIN,
        recorded_when="Plans with these servers are refused again.",
        identifies=_CLUSTER,
        values=Values.REMOVED,
        facts=(_NAME, _before("`flavor`, `series` and `accepted_by`")),
    ),
    ActionEntry(
        actions=("console:cluster:end_acceptance",),
        title="An acceptance of untried servers ended",
        who="Hawser (`actor` is `console`).",
        recorded_when="A node of the cluster responded with another family or release series. `reason` names it.",
        identifies=_CLUSTER,
        values=Values.REMOVED,
        facts=(_NAME, _before("`flavor`, `series` and `accepted_by`")),
    ),
    ActionEntry(
        actions=_both("cluster:retire"),
        title="A cluster was retired",
        who=_ADMIN,
        recorded_when="Its accounts and nodes were deleted. Nothing was changed on its servers.",
        identifies="`target`: id of the cluster",
        values=Values.REMOVED,
        facts=(
            _NAME,
            DocumentedField("nodes", "list of strings", "name and address of each node: `db-a1 10.1.0.11:3306`"),
            DocumentedField("state_uuid", "string or null", "Galera state UUID, null if it was never seen"),
        ),
    ),
    ActionEntry(
        actions=_both("node:add"),
        title="A node was added",
        who=_ADMIN,
        recorded_when="A member of the cluster was registered.",
        identifies=_NODE,
        values=Values.ADDED,
        facts=(
            _IN,
            _after("`name`, `host` and `port`"),
            DocumentedField("is_tried", "boolean", "false where it did not respond, which was accepted"),
        ),
    ),
    ActionEntry(
        actions=_both("node:update"),
        title="A node was changed",
        who=_ADMIN,
        recorded_when="It was renamed, or its address was changed.",
        identifies=_NODE,
        values=Values.BOTH,
        facts=(_IN, _before("`name`, `host` and `port`"), _after("the same")),
    ),
    ActionEntry(
        actions=_both("node:confirm_server"),
        title="A replaced server was confirmed",
        who=_OPERATOR,
        recorded_when="A person confirmed that another server took the node's place.",
        identifies=_NODE,
        values=Values.BOTH,
        facts=(_IN, _before("`server` and `server_id`, the server's identity,"), _after("the same")),
    ),
    ActionEntry(
        actions=_both("node:remove"),
        title="A node was removed",
        who=_ADMIN,
        recorded_when="Its cluster did not count it as a member any more.",
        identifies=_NODE,
        values=Values.REMOVED,
        facts=(
            _IN,
            _before("`name`, `host` and `port`"),
            DocumentedField("attest_gone", "boolean", "whether the server was attested to be decommissioned"),
        ),
    ),
    ActionEntry(
        actions=_both("link:update"),
        title="A link was changed",
        who=_ADMIN,
        recorded_when=(
            "Its name, its home side, its approval rule, or whether both sides are written was changed. Switching the "
            "rule off is what was asked for; "
            "`console:protected_change:effective` or `:confirmed` tells when it took effect."
        ),
        identifies=_LINK,
        values=Values.BOTH,
        facts=(
            _before("`name`, `home_cluster_id`, `requires_approval` and `writes_on_both_sides`"),
            _after("the same"),
        ),
    ),
    ActionEntry(
        actions=_both("link:pause", "link:resume"),
        title="A maintenance was begun, or ended",
        who=_OPERATOR,
        recorded_when="The link was put into maintenance, its end was moved, or it was ended before its time.",
        identifies=_LINK,
        values=Values.BOTH,
        facts=(
            DocumentedField("before", "time or null", "end of the maintenance until then; null: there was none"),
            DocumentedField("after", "time or null", "its end from then on; null: it was ended"),
        ),
    ),
    ActionEntry(
        actions=_both("link:swap_names"),
        title="Two links swapped their names",
        who=_ADMIN,
        recorded_when="Both were renamed at once.",
        identifies="`target`: id of the link that was asked for",
        values=Values.BOTH,
        facts=(_before("name by id of the link"), _after("the same")),
    ),
    ActionEntry(
        actions=_both("link:request_retirement"),
        title="The retirement of a link was requested",
        who=_ADMIN,
        recorded_when="Runs on the link need a second person, and so does its retirement.",
        identifies=_LINK,
        values=Values.NONE,
        facts=(_NAME,),
    ),
    ActionEntry(
        actions=_both("link:retire"),
        title="A link was retired",
        who=_ADMIN,
        recorded_when="It is not observed any more. Its channels stay as they are on the servers.",
        identifies=_LINK,
        values=Values.REMOVED,
        facts=(_NAME, _before("`active` and `standby`, the names of its clusters,")),
    ),
    ActionEntry(
        actions=("api:declaration:compare",),
        title="Given passwords were compared with stored ones",
        who=_ADMIN,
        recorded_when=(
            "A declaration was compared or applied through the API. The record is written before anyone is told the "
            "result, and does not hold it. Each change has a record of its own."
        ),
        identifies="nothing; `reason` where it was applied",
        values=Values.NONE,
        facts=(DocumentedField("accounts", "list of strings", "cluster and role of each account"),),
    ),
)
