import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { stateTransferQuery } from "@/api/resources/node-maintenance";
import type { StateTransfer, TransferGiven, TransferJoiner } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { ChecklistPanel } from "./ChecklistPanel";
import { PARTS } from "./parts";
import { formatSpan } from "./span";
import { TransferDetails } from "./TransferDetails";
import { TransferForm } from "./TransferForm";
import { TransferRunsPanel } from "./TransferRunsPanel";

const partColumn = (name: keyof typeof PARTS): Column<TransferJoiner> => ({
  key: name,
  header: PARTS[name],
  align: "right",
  nowrap: true,
  cell: ({ parts }) => {
    const seconds = parts.find((part) => part.name === name)?.seconds ?? null;
    return seconds === null ? <span className="faint">unknown</span> : formatSpan(seconds);
  },
});

const COLUMNS: readonly Column<TransferJoiner>[] = [
  { key: "node", header: "To", isRowHeader: true, nowrap: true, cell: ({ name }) => name },
  {
    key: "method",
    header: "Method",
    cell: ({ method }) => method ?? <span className="faint">unknown</span>,
  },
  partColumn("start"),
  partColumn("copy"),
  partColumn("prepare"),
  partColumn("catch_up"),
  {
    key: "total",
    header: "In all",
    align: "right",
    nowrap: true,
    cell: ({ is_whole: whole, known_s: known }) => (
      <span className="strong">{`${whole ? "" : "at least "}${formatSpan(known)}`}</span>
    ),
  },
];

function Forecast({ transfer }: { transfer: StateTransfer }) {
  return (
    <DataTable
      caption={`SST forecast for the nodes of ${transfer.cluster_name}`}
      columns={COLUMNS}
      rows={transfer.joiners}
      rowKey={(joiner) => joiner.id}
      empty="The cluster has no registered node."
      details={(joiner) => <TransferDetails joiner={joiner} />}
      detailsLabel={(joiner) => `SST to ${joiner.name}`}
    />
  );
}

/** How long an SST to each node would take, what shortens it, and the runs behind the figures. */
export function StateTransferPanel({ clusterId }: { clusterId: string }) {
  const [given, setGiven] = useState<TransferGiven>({});
  const client = useQueryClient();
  const query = useQuery(stateTransferQuery(clusterId, given));
  const ask = async (asked: TransferGiven) => {
    await client.query(stateTransferQuery(clusterId, asked));
    setGiven(asked);
  };
  return (
    <>
      <Panel title="If it comes to an SST">
        <div className="stack">
          <p className="dim">
            A forecast from runs of 1 GB on tmpfs: over a thin line it was 11 % too low. Of other
            sizes, disks and methods nothing was measured.
          </p>
          <TransferForm ask={ask} />
          <QueryBoundary<StateTransfer> query={query} label="the forecast">
            {(transfer) => <Forecast transfer={transfer} />}
          </QueryBoundary>
        </div>
      </Panel>
      {query.data && <ChecklistPanel checklist={query.data.checklist} />}
      {query.data && <TransferRunsPanel runs={query.data.runs} />}
    </>
  );
}
