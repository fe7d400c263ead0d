import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Bandwidth } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { spanText, WINDOWS } from "./rates";

type Computed = Bandwidth["computed"][number];

interface Row {
  sender: string;
  total: string;
  to: Record<string, string>;
}

interface Matrix {
  names: readonly string[];
  rows: readonly Row[];
}

function matrixOf({ pairs, outbound }: Computed): Matrix {
  const names = [...new Set(pairs.flatMap(({ sender, receiver }) => [sender, receiver]))];
  const cell = (sender: string, receiver: string) => {
    if (receiver === sender) return "–";
    const found = pairs.find((pair) => pair.sender === sender && pair.receiver === receiver);
    return found ? spanText(found) : "unknown";
  };
  const total = (sender: string) => {
    const found = outbound.find(({ node }) => node === sender);
    return found ? spanText(found) : "unknown";
  };
  const rows = names.map((sender) => ({
    sender,
    total: total(sender),
    to: Object.fromEntries(names.map((receiver) => [receiver, cell(sender, receiver)])),
  }));
  return { names, rows };
}

function MatrixTable({ matrix }: { matrix: Matrix }) {
  const columns: Column<Row>[] = [
    { key: "sender", header: "From", isRowHeader: true, nowrap: true, cell: (row) => row.sender },
    ...matrix.names.map((name) => ({
      key: name,
      header: `to ${name}`,
      align: "right" as const,
      cell: (row: Row) => row.to[name],
    })),
    { key: "total", header: "Sends in all", align: "right", cell: (row) => row.total },
  ];
  return (
    <DataTable
      caption="Computed bytes by pair of nodes"
      columns={columns}
      rows={matrix.rows}
      rowKey={(row) => row.sender}
      empty="No pair is known."
    />
  );
}

function ComputedTraffic({ found }: { found: Computed }) {
  if (found.reason) return <p>Unknown. {found.reason}</p>;
  return (
    <>
      <p className="dim">
        Computed: bytes of write-sets x 1.11 to 1.18 for each copy, as measured. “Up to” is a pair
        that carries all or nothing, by who the relay is. Acknowledgements and state transfers are
        left out.
      </p>
      <MatrixTable matrix={matrixOf(found)} />
      {found.across.length > 0 && (
        <DescriptionList
          items={[
            ...found.across.map(
              (pair) => [`Segment ${pair.sender} to ${pair.receiver}`, spanText(pair)] as const,
            ),
            ["Each copy", "x 1.11 to 1.45 there, since all acknowledgements cross as well"],
          ]}
        />
      )}
    </>
  );
}

/** Bytes of each ordered pair of nodes, computed. */
export function TrafficPanel({ found }: { found: Bandwidth }) {
  const [shown, setShown] = useState<string>("hour");
  const computed = found.computed.find(({ window }) => window === shown);
  return (
    <Panel title="Bytes from node to node">
      <div className="stack">
        <div>
          <SegmentedControl
            aria-label="Figures of"
            value={shown}
            onChange={setShown}
            data={found.computed.map(({ window }) => ({ value: window, label: WINDOWS[window] }))}
          />
        </div>
        {computed && <ComputedTraffic found={computed} />}
      </div>
    </Panel>
  );
}
