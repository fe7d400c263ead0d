import type { Verification } from "@/api/types";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { CheckResult } from "./CheckResult";

type Probe = Verification["probes"][number];

const receivedOn = (probe: Probe): string =>
  probe.seen_on
    .map(({ node, ms }) => `${node} (${ms === null ? "not received" : `${Math.round(ms)} ms`})`)
    .join(", ") || "no node";

const COLUMNS: readonly Column<Probe>[] = [
  nameColumn("Direction", (probe) => <b>{probe.direction}</b>),
  column("Result", (probe) => <CheckResult value={probe.complete} yes="arrived" no="incomplete" />),
  column("Written on", (probe) => probe.written_on, { nowrap: true }),
  column("Received on", receivedOn),
];

/** The probe write of each direction, and the nodes that received it. */
export function ProbesPanel({ verification }: { verification: Verification }) {
  return (
    <Panel
      title="Probes"
      aside="a transaction written on each side and received by every node of the other side"
    >
      {verification.not_probed_reason && <p>Not probed: {verification.not_probed_reason}</p>}
      <DataTable
        caption="Probe writes"
        columns={COLUMNS}
        rows={verification.probes}
        rowKey={(probe) => probe.direction}
        empty="No probe was written."
      />
    </Panel>
  );
}
