/** The API beside the browser: to find out where the link stands, and to prepare what a test does not test. */
import { demoFacts } from "./facts";

interface ChannelFacts {
  direction: "forward" | "reverse";
  source_node: string;
  source_name: string;
  replica_node: string;
  replica_name: string;
  state: string;
  stray: boolean;
}

interface LinkFacts {
  id: string;
  name: string;
  state: string;
  channels: ChannelFacts[];
  active_cluster: { id: string; name: string };
  standby_cluster: { id: string; name: string };
  home_cluster: { id: string; name: string };
  requires_approval: boolean;
  invalidated_cluster: string | null;
  divergence: { returned: { nodes: { fenced_at: string | null }[] } | null } | null;
  primary_action: { kind: string | null } | null;
  clusters: Record<
    "active" | "standby",
    { nodes: { id: string; name: string; reach: string; read_only: boolean | null }[] }
  >;
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const { url, token } = demoFacts();
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export const linkFacts = () => ask<LinkFacts>("GET", `/links/${demoFacts().link_id}`);

/** The pair the link stands on now. */
export async function standingPair(): Promise<ChannelFacts> {
  const link = await linkFacts();
  const forward = link.channels.find(
    (channel) => channel.direction === "forward" && !channel.stray,
  );
  if (!forward) throw new Error("the link has no forward channel");
  return forward;
}

/** A plan to a node of the active side that does not hold the link: something to look at, never run. */
export async function planElsewhere(): Promise<{ id: string; state: string; digest: string }> {
  const [link, standing] = await Promise.all([linkFacts(), standingPair()]);
  const other = link.clusters.active.nodes.find(
    (node) => node.id !== standing.source_node && node.reach === "up",
  );
  return ask("POST", `/links/${link.id}/plans`, {
    kind: "relocate",
    reason: "to be looked at",
    options: { source_node: other?.id, replica_node: standing.replica_node },
  });
}

/** A switchover to be looked at, never run; its proof lies in the run. */
export const planSwitchover = (): Promise<{ id: string }> =>
  ask("POST", `/links/${demoFacts().link_id}/plans`, {
    kind: "switchover",
    reason: "to be looked at",
    options: {},
  });

/** Start what was planned; where the link asks for it, the run then waits for a second person. */
export const startRun = async (plan: { id: string; digest: string }): Promise<{ id: string }> =>
  ask("POST", `/plans/${plan.id}/runs`, {
    digest: plan.digest,
    confirm: (await linkFacts()).name,
    reason: "INC-4213: needs a second person",
  });

export const lastRun = async () =>
  (await ask<{ results: { id: string; state: string; outcome: string }[] }>("GET", "/runs"))
    .results[0];
