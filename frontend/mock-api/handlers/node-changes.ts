/** Changes of a registered node; its version is its cluster's. */
import type { Cluster, Node } from "@/api/types";
import { clustersOf, type Database } from "../db";
import { http, notFound } from "../http";
import { clusterChanged, refusedChange } from "../registration";

/** The node of this id, with its cluster; undefined where there is none. */
function found(db: Database, id: string): { cluster: Cluster; node: Node } | undefined {
  for (const cluster of clustersOf(db)) {
    const node = cluster.nodes.find((entry) => entry.id === id);
    if (node) return { cluster, node };
  }
  return undefined;
}

function changed(db: Database, cluster: Cluster, node: Node, change: Partial<Node>): Node {
  const next = { ...node, ...change };
  const nodes = cluster.nodes.map((entry) => (entry.id === node.id ? next : entry));
  clusterChanged(db, cluster, { nodes });
  return next;
}

interface Given {
  reason?: string;
  accept_unreachable?: boolean;
  attest_gone?: boolean;
}

const refused = (db: Database, request: Request, cluster: Cluster, given: Given) =>
  refusedChange(request, cluster, given, () =>
    clusterChanged(db, cluster, {
      nodes: cluster.nodes.map((node) => ({ ...node, port: 3307 })),
    }),
  );

export const nodeChangeHandlers = (db: Database) => [
  http.patch("/api/v1/nodes/{node_id}", async ({ params, request, response }) => {
    const at = found(db, params.node_id);
    if (!at) return notFound("node");
    const { accept_unreachable, reason, ...change } = (await request.json()) ?? {};
    const given = { accept_unreachable: accept_unreachable === true, reason: reason ?? "" };
    const refusal = refused(db, request, at.cluster, given);
    return refusal ?? response(200).json(changed(db, at.cluster, at.node, change));
  }),
  http.delete("/api/v1/nodes/{node_id}", ({ params, request, query, response }) => {
    const at = found(db, params.node_id);
    if (!at) return notFound("node");
    const attest_gone = query.get("attest_gone") === "true";
    const given = { reason: query.get("reason"), attest_gone };
    const refusal = refused(db, request, at.cluster, given);
    if (refusal) return refusal;
    const nodes = at.cluster.nodes.filter((node) => node.id !== at.node.id);
    clusterChanged(db, at.cluster, { nodes });
    return response(204).empty();
  }),
  http.post("/api/v1/nodes/{node_id}/confirm-server", async ({ params, request, response }) => {
    const at = found(db, params.node_id);
    if (!at) return notFound("node");
    const { server_id, ...given } = await request.json();
    const refusal = refused(db, request, at.cluster, given);
    return refusal ?? response(200).json(changed(db, at.cluster, at.node, { server_id }));
  }),
];
