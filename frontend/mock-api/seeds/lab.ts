/** The lab's nodes and its write load. */
import type { Lab, LabNode, LabVerdict } from "@/api/types";

const SITES = { a: "milan", b: "frankfurt" } as const;

function labNode(site: "a" | "b", number: number): LabNode {
  return {
    name: `db-${site}${number}`,
    site,
    cluster: SITES[site],
    host: `127.0.${site === "a" ? 1 : 2}.${number}`,
    server_id: (site === "a" ? 20 : 30) + number,
    ...labNodeIn("running"),
    error: null,
  };
}

/** What the lab says of a node in a state. */
export const labNodeIn = (state: LabNode["state"]) => ({
  state,
  wsrep_state: state === "running" ? "Synced" : null,
  cluster_status: state === "running" ? "Primary" : null,
  last_committed: state === "running" ? 221_465_100 : null,
});

export const lab = (): Lab => ({
  variant: "classic",
  nodes: (["a", "b"] as const).flatMap((site) => [1, 2, 3].map((n) => labNode(site, n))),
  rebuild: { state: "idle", site: "", donor: "", coordinate: "", galera: "", detail: "" },
  load: {
    running: true,
    active_site: "a",
    both_sides: false,
    schema_changes: false,
    acknowledged: 184_220,
    failed: 14,
    indeterminate: 3,
    rate: 86.4,
  },
});

const VERDICT_TAKES_MS = 2000;

/** The current verification; `startedAt` is null where none was started. */
export function labVerdict(startedAt: number | null): LabVerdict {
  const none = { acceptance: "", lost_only_as_accepted: false, details: {} };
  if (startedAt === null) return { state: "idle", summary: "", clean: null, ...none };
  if (Date.now() - startedAt < VERDICT_TAKES_MS)
    return { state: "running", summary: "", clean: null, ...none };
  const summary = "acknowledged 184220, lost 0, doubled 0, nodes identical";
  return { state: "done", summary, clean: true, ...none };
}
