import type { ReactNode } from "react";
import type { Verification } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { CheckResult } from "./CheckResult";

interface Check {
  name: string;
  result: ReactNode;
  detail: string;
}

function checksOf(verification: Verification): Check[] {
  const { options_equal, stray_channels: stray, cleanup_pending: pending } = verification;
  const checks: Check[] = [
    {
      name: "Channel options",
      result: <CheckResult value={options_equal} yes="unchanged" no="changed" />,
      detail: "TLS, retry, delay and ignore lists were read back and compared",
    },
    {
      name: "Stray channels",
      result: (
        <StatusChip tone={stray.length === 0 ? "ok" : "bad"}>
          {stray.length === 0 ? "none" : `${stray.length} found`}
        </StatusChip>
      ),
      detail: stray.join(", ") || "one channel per direction",
    },
  ];
  if (pending.length > 0)
    checks.push({
      name: "Pending cleanup",
      result: <StatusChip tone="warn">{pluralize(pending.length, "node")}</StatusChip>,
      detail: `${pending.join(", ")}: the link page offers the cleanup of the stray channel when the node is up again`,
    });
  return checks;
}

const COLUMNS: readonly Column<Check>[] = [
  nameColumn("Check", (check) => <b>{check.name}</b>),
  column("Result", (check) => check.result),
  column("Details", (check) => check.detail),
];

/** The checks of a verification besides probes and continuity. */
export function OtherChecksPanel({ verification }: { verification: Verification }) {
  return (
    <Panel title="Other checks">
      <DataTable
        caption="Channel options and stray channels"
        columns={COLUMNS}
        rows={checksOf(verification)}
        rowKey={(check) => check.name}
        empty="No checks."
      />
    </Panel>
  );
}
