import type { Verification } from "@/api/types";
import { Term } from "@/components/Term";
import { formatNumber } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { CheckResult } from "./CheckResult";

type Continuity = Verification["continuity"][number];

const COLUMNS: readonly Column<Continuity>[] = [
  nameColumn("Direction", (check) => <b>{check.direction}</b>),
  column("Result", (check) => <CheckResult value={check.equal} yes="equal" no="differs" />),
  column("Node", (check) => check.node, { nowrap: true }),
  numberColumn("Transactions", (check) => formatNumber(check.groups_compared)),
];

/** Whether the transactions on both sides of the resume position are the same. */
export function ContinuityPanel({ verification }: { verification: Verification }) {
  return (
    <Panel
      title={<Term of="continuity check">Continuity check</Term>}
      aside="transactions before and after the resume position, compared"
    >
      <DataTable
        caption="Compared transactions"
        columns={COLUMNS}
        rows={verification.continuity}
        rowKey={(check) => `${check.direction} ${check.node}`}
        empty="The transactions were not compared."
      />
    </Panel>
  );
}
