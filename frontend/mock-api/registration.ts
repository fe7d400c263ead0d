/** Changes of what is registered: versions, refusals by value, and what was changed so far. */
import type { AcceptedServer, Cluster, LinkDetail } from "@/api/types";
import { problem } from "./http";

/** What was changed of the seeds, by id. */
export interface Registration {
  clusters: Map<string, Partial<Cluster>>;
  links: Map<string, Partial<LinkDetail>>;
  /** Clusters that took the place of another one. */
  made: Cluster[];
  /** What was accepted of a cluster's servers, by its id, the latest first. */
  acceptances: Map<string, AcceptedServer[]>;
}

export const newRegistration = (): Registration => ({
  clusters: new Map(),
  links: new Map(),
  made: [],
  acceptances: new Map(),
});

/** The part of a database that these changes concern. */
interface World {
  registration: Registration;
}

/** Store a change of a cluster or link as its next version. */
function store<Row extends { id: string; version: number }>(
  changes: Map<string, Partial<Row>>,
  row: Row,
  change: Partial<Row>,
): Row {
  const stored = { ...changes.get(row.id), ...change, version: row.version + 1 };
  changes.set(row.id, stored);
  return { ...row, ...stored };
}

type Refusal = [status: number, title: string, detail: string, field?: string];

/** Refusals that a reason of this text asks for; the code of each is its key. */
const REFUSALS: Record<string, Refusal> = {
  retired: [409, "Already retired", "It was retired. Nothing was changed."],
  run_unfinished: [
    409,
    "Another run is in progress",
    "Run r_needs_operator (relocate) of payments is unfinished. Nothing was changed. Wait for it, or abort it.",
  ],
  node_in_plan: [
    409,
    "Node is part of a plan",
    "Plan p_ready changes the node and can be started until 02:20:00 UTC. Nothing was changed. Wait until it has expired.",
  ],
  node_carries_channel: [
    409,
    "Node carries a channel",
    "The node holds a channel. Nothing was changed. Relocate the channel to another node first.",
  ],
  node_is_member: [
    409,
    "Node is a member of its cluster",
    "The node is a member of milan. Nothing was changed. Stop its server first.",
  ],
  membership_unknown: [
    409,
    "Membership unknown",
    "No other node tells whether it is still a member. Nothing was changed. Start a node of the cluster.",
  ],
  node_last: [409, "Last node of the cluster", "It is the only node. Add another node first."],
  node_only_live: [409, "Only live node of the cluster", "Start another node first."],
  another_server: [409, "Another server responds", "Another server responds. Add it as a node."],
  not_one_cluster: [
    409,
    "Nodes of different clusters",
    "The server reports another cluster state UUID. Nothing was changed. Let the server join.",
  ],
  too_many_nodes: [409, "Node limit reached", "milan has 32 nodes already. Nothing was changed."],
  address_taken: [
    409,
    "Node already registered",
    "127.0.1.1:3306 is registered as db-a1 of milan. Nothing was changed.",
    "host",
  ],
  stored_passwords_needed: [
    409,
    "Stored passwords asked for again",
    "Give the stored password of this account. Nothing was changed.",
    "passwords.monitor",
  ],
  address_refused: [400, "Address not allowed", "This address is not allowed.", "host"],
  node_exists: [
    409,
    "Name already in use",
    "milan already has a node named db-a1. Nothing was changed. Choose another name.",
    "name",
  ],
  cluster_exists: [
    409,
    "Name already in use",
    "A cluster named frankfurt already exists. Nothing was changed. Choose another name.",
    "name",
  ],
  link_exists: [
    409,
    "Name already in use",
    "A link named orders already exists. Nothing was changed. Choose another name.",
    "name",
  ],
  trial_failed: [
    409,
    "Does not work on every node",
    "The account does not work on 1 of 3 nodes. Nothing was changed. db-a3: access denied.",
    "password",
  ],
  tls_trial_failed: [
    409,
    "Does not work on every node",
    "A connection in this TLS mode does not work on 1 of 3 nodes. Nothing was changed.",
    "tls.mode",
  ],
  state_uuid_differs: [
    409,
    "Not the cluster that you named",
    "The nodes report several state UUIDs. Nothing was changed. Wait until every node has joined.",
  ],
  reprotect_first: [409, "Lost side of a failover", "Nothing was changed. Reprotect the link."],
  retire_link_first: [
    409,
    "Link needs a second person",
    "Runs on payments need a second person, and so does its retirement. Retire the link first.",
  ],
  nodes_not_tried: [
    409,
    "Not tried on every node",
    "db-a3 did not respond, so that it is unknown whether this works there. Nothing was changed. Start the node, remove it from the cluster, or repeat the change with accept_unreachable.",
  ],
  node_cleanup_due: [
    409,
    "Node may return with a channel",
    "The node was unreachable when its channel was moved: if it returns, it replicates again. Nothing was changed. Start it and remove the stray channel, or repeat the removal with attest_gone.",
  ],
};

/** What a refusal names beside its detail. */
const EXTRA: Record<string, Record<string, string>> = {
  run_unfinished: { run_id: "r_needs_operator" },
  node_in_plan: { plan_id: "p_ready" },
  reprotect_first: { link_id: "l_payments" },
  retire_link_first: { link_id: "l_payments" },
};

const codeOf = (asked: string): string => (asked === "tls_trial_failed" ? "trial_failed" : asked);

/** The refusal that this reason asks for; null where it asks for none. */
function refusalFor(reason: string) {
  const found = REFUSALS[reason];
  if (!found) return null;
  const [status, title, detail, field] = found;
  const errors = field ? [{ field, message: detail }] : [];
  return problem(status, codeOf(reason), title, detail, { errors, extra: EXTRA[reason] ?? {} });
}

interface Given {
  reason?: string;
  accept_unreachable?: boolean;
  attest_gone?: boolean;
}

const isAnswered = ({ reason, accept_unreachable, attest_gone }: Given): boolean =>
  (reason === "nodes_not_tried" && accept_unreachable === true) ||
  (reason === "node_cleanup_due" && attest_gone === true);

/**
 * Why a change is refused; null where it is not. As on the server, it names the version that it is
 * based on. The reason `version_changed` is refused once, as if another user had been faster:
 * `elsewhere` stores what that user changed.
 */
export function refusedChange(
  request: Request,
  row: { name: string; version: number },
  given: Given,
  elsewhere: () => void,
) {
  const header = request.headers.get("If-Match");
  if (header === null)
    return problem(428, "precondition_required", "Version required", "Send If-Match.");
  if (!given.reason)
    return problem(400, "validation_failed", "Invalid request", "", {
      errors: [{ field: "reason", message: "This field is required." }],
    });
  const isFirst = given.reason === "version_changed" && row.version === 1;
  if (isFirst) elsewhere();
  const version = row.version + (isFirst ? 1 : 0);
  if (header !== `"${version}"`)
    return problem(
      412,
      "version_changed",
      "Changed in the meantime",
      `${row.name} was changed in the meantime: you read version ${header.replaceAll('"', "")}, it is version ${version} now. Nothing was changed. Read it again and repeat the change.`,
    );
  return isAnswered(given) ? null : refusalFor(given.reason);
}

export const clusterChanged = (db: World, row: Cluster, change: Partial<Cluster>): Cluster =>
  store(db.registration.clusters, row, change);

export const linkChanged = (db: World, row: LinkDetail, change: Partial<LinkDetail>): LinkDetail =>
  store(db.registration.links, row, change);
