/** Maintenances of milan's nodes: db-a3 is away now; an earlier one of db-a2 ended in an IST. */
import type { NodeMaintenance } from "@/api/types";
import { ago, now } from "./clusters";

const base = (id: string, node: string): NodeMaintenance => ({
  id: `b_${id}`,
  link_id: "l_payments",
  link_name: "payments",
  run_id: "r_relocated",
  node_id: `n_${node}`,
  node_name: `db-${node}`,
  donor_id: "n_a2",
  donor_name: "db-a2",
  stage: "away",
  result: null,
  sentence: "",
  opened_by: "olaf",
  opened_at: ago(1200),
  allowed_at: ago(1190),
  until: ago(-6000),
  left_at: ago(900),
  returned_at: null,
  ended_at: null,
  ended_by: null,
  freeze_seqno: null,
  unfrozen_at: null,
  unfreeze_error: "",
  time_left: { state: "known", seconds: 478, reason: "" },
});

const ENDED: NodeMaintenance = {
  ...base("ended", "a2"),
  donor_id: "n_a3",
  donor_name: "db-a3",
  stage: "ended",
  result: "ist",
  sentence:
    "db-a2 returned by IST, by the rule: its last seqno, at least 221,301,044, + 1 is not below the oldest write-set of any donor (221,203,410). Not contradicted: its binary logs from before are still there.",
  opened_at: ago(90_000),
  allowed_at: ago(89_990),
  until: ago(82_800),
  left_at: ago(89_400),
  returned_at: ago(88_920),
  ended_at: ago(88_915),
  time_left: null,
};

const OPEN = base("open", "a3");

/** At most one is open: that of db-a3, until it is ended. */
export const maintenances = (): NodeMaintenance[] => [{ ...OPEN }, { ...ENDED }];

/** Ends it as the server does; null where there is none of this id. */
export function endMaintenance(all: NodeMaintenance[], id: string): NodeMaintenance | null {
  const found = all.find((one) => one.id === id && one.stage === "away");
  if (found === undefined) return null;
  return Object.assign(found, {
    stage: "ended",
    result: "ended_early",
    sentence: `olaf ended the maintenance of ${found.node_name}.`,
    ended_at: now(),
    ended_by: "olaf",
    time_left: null,
  });
}
