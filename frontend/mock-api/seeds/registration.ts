/** What clusters say of their members, and what is registered beside the clusters of the links. */
import type { Cluster, LinkDetail, Membership } from "@/api/types";
import { ago, milan } from "./clusters";
import { calm } from "./links";

/** A registered cluster that no link joins. */
export const spare = (): Cluster => ({
  ...milan(),
  id: "c_zurich",
  name: "zurich",
  site: "Zurich",
  nodes: milan().nodes.map((node, index) => ({
    ...node,
    id: `n_z${index + 1}`,
    name: `db-z${index + 1}`,
    host: `127.0.3.${index + 1}`,
    cluster_id: "c_zurich",
    cluster_name: "zurich",
  })),
});

/** A cluster whose accounts and nodes were deleted. */
export const retiredCluster = (): Cluster => ({
  ...milan(),
  id: "c_retired",
  name: "turin",
  site: "Turin",
  nodes: [],
  retired_at: ago(86_400 * 5),
});

export const retiredLink = (): LinkDetail => ({
  ...calm(),
  id: "l_retired",
  name: "payroll",
  state: "retired",
  sentence: "This link is retired.",
  detail: "",
  observed_at: ago(86_400 * 5),
  age_s: 86_400 * 5,
  channels: [],
  findings: [],
  readiness: {},
  primary_action: null,
  retired_at: ago(86_400 * 5),
});

/** A link in maintenance for another hour. */
export const paused = (link: LinkDetail): LinkDetail => ({
  ...link,
  pause: { until: ago(-3600), by: "olaf", reason: "CHG-2291 network change" },
});

const agreed = (cluster: Cluster): Membership => ({
  version: cluster.version,
  size: cluster.nodes.length,
  unregistered: [],
  unaddressed: 0,
  absent: [],
  replaced: [],
  new_history: null,
});

const NEW_UUID = "7c20d6b4-c9f0-11f0-b7aa-52d1c4e0a913";

/** Milan has a member that is not registered, one node left it, and one runs on another machine. */
function changed(cluster: Cluster): Partial<Membership> {
  const isRegistered = (host: string) => cluster.nodes.some((node) => node.host === host);
  const left = cluster.nodes.find((node) => node.id === "n_a3");
  return {
    size: 3,
    unregistered: isRegistered("127.0.1.4") ? [] : [{ host: "127.0.1.4", port: 3306 }],
    absent: left ? [{ id: left.id, name: left.name }] : [],
    replaced: cluster.nodes
      .filter((node) => node.id === "n_a2" && node.server_id === 22)
      .map(({ id, name }) => ({
        id,
        name,
        recorded_server: "41f9a3c2-c6a1-11f0-9a0b-0242ac120002",
        recorded_server_id: 22,
        observed_server: "",
        observed_server_id: 52,
      })),
  };
}

const history = (cluster: Cluster, way: "reprotect" | "choose"): Partial<Membership> => ({
  new_history: { state_uuid: NEW_UUID, recorded_state_uuid: cluster.state_uuid ?? "", way },
});

/** By scenario; where a scenario says nothing of a cluster, its members and nodes agree. */
const SAID: Record<string, Record<string, (cluster: Cluster) => Partial<Membership>>> = {
  membership: {
    c_milan: changed,
    c_frankfurt: () => ({ size: null, absent: null }),
    c_zurich: () => ({ size: 4, unaddressed: 1, absent: null }),
  },
  rebuilt: { c_milan: (cluster) => history(cluster, "choose") },
  returned: { c_milan: (cluster) => history(cluster, "reprotect") },
};

export const membershipOf = (scenario: string, cluster: Cluster): Membership => ({
  ...agreed(cluster),
  ...SAID[scenario]?.[cluster.id]?.(cluster),
});
