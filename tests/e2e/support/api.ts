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

function send(method: string, path: string, body?: object, more?: Record<string, string>) {
  const { url, token } = demoFacts();
  return fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
      ...more,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await send(method, path, body);
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

interface RunFacts {
  id: string;
  state: string;
  outcome: string;
  plan_id: string;
  plan_digest: string;
}

export const lastRun = async () => (await ask<{ results: RunFacts[] }>("GET", "/runs")).results[0];

/** Each run of the link waits for these users; of a rule that is as strict already, nothing changes. */
export async function requireApprovals(approvers: string[]): Promise<void> {
  const path = `/links/${demoFacts().link_id}`;
  const version = (await send("GET", path)).headers.get("ETag") ?? "";
  const change = { requires_approval: true, reason: "CHG-6" };
  const changed = await send("PATCH", path, change, { "If-Match": version });
  if (!changed.ok) throw new Error(`${changed.status} ${await changed.text()}`);
  const rule = { approvals_needed: approvers.length, approvers, reason: "CHG-6" };
  await ask("PUT", `${path}/approval-rule`, rule);
}

/** Mails of runs that wait for an approval go to this port of the machine; returns the end of that. */
export async function mailApprovalsTo(port: number): Promise<() => Promise<void>> {
  const { id } = await ask<{ id: string }>("POST", "/destinations", {
    name: "approvers",
    service: "email",
    kinds: ["run.waiting_approval"],
    settings: {
      host: "127.0.0.1",
      port,
      security: "none",
      sender: "hawser@example.net",
      recipients: ["approvers@example.net"],
    },
  });
  return async () => {
    await send("DELETE", `/destinations/${id}`);
  };
}

/** Why the plan of the latest run cannot be started again while that run waits. */
export async function startRefused(): Promise<string> {
  const run = await lastRun();
  const body = { digest: run?.plan_digest, confirm: (await linkFacts()).name, reason: "again" };
  const response = await send("POST", `/plans/${run?.plan_id}/runs`, body);
  return ((await response.json()) as { detail: string }).detail;
}
