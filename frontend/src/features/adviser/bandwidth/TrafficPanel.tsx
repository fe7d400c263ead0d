import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Bandwidth } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatBytes, formatNumber, pluralize } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { CountersForm } from "./CountersForm";
import { rateText, spanText, WINDOWS } from "./rates";

type Computed = Bandwidth["computed"][number];
type Counted = NonNullable<Bandwidth["counted"]>;

interface Row {
  sender: string;
  total: string;
  to: Record<string, string>;
}

interface Matrix {
  names: readonly string[];
  rows: readonly Row[];
}

const matrixOf = (
  pairs: readonly { sender: string; receiver: string }[],
  cell: (sender: string, receiver: string) => string,
  total: (sender: string) => string,
): Matrix => {
  const names = [...new Set(pairs.flatMap(({ sender, receiver }) => [sender, receiver]))];
  const rows = names.map((sender) => ({
    sender,
    total: total(sender),
    to: Object.fromEntries(
      names.map((receiver) => [receiver, receiver === sender ? "–" : cell(sender, receiver)]),
    ),
  }));
  return { names, rows };
};

function computedMatrix({ pairs, outbound }: Computed): Matrix {
  return matrixOf(
    pairs,
    (sender, receiver) => {
      const found = pairs.find((pair) => pair.sender === sender && pair.receiver === receiver);
      return found ? spanText(found) : "unknown";
    },
    (sender) => {
      const found = outbound.find(({ node }) => node === sender);
      return found ? spanText(found) : "unknown";
    },
  );
}

function countedMatrix({ pairs }: Counted): Matrix {
  return matrixOf(
    pairs,
    (sender, receiver) => {
      const found = pairs.find((pair) => pair.sender === sender && pair.receiver === receiver);
      return found ? rateText(found.bytes_per_s) : "not counted";
    },
    (sender) =>
      rateText(
        pairs
          .filter((pair) => pair.sender === sender)
          .reduce((sum, pair) => sum + pair.bytes_per_s, 0),
      ),
  );
}

function MatrixTable({ matrix, caption }: { matrix: Matrix; caption: string }) {
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
      caption={caption}
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
      <MatrixTable matrix={computedMatrix(found)} caption="Computed bytes by pair of nodes" />
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

function CountedTraffic({ counted }: { counted: Counted }) {
  const sum = counted.pairs.reduce((bytes, pair) => bytes + pair.bytes, 0);
  return (
    <>
      <p className="dim">
        Measured by the lab's router: {formatBytes(sum)} within{" "}
        {formatNumber(Math.round(counted.seconds))} s, in{" "}
        {pluralize(counted.pairs.length, "pair of nodes")}; headers and acknowledgements included.
        Pasted by {counted.by} <Timestamp at={counted.at} />; the report does not say when it was
        counted.
      </p>
      <MatrixTable matrix={countedMatrix(counted)} caption="Counted bytes by pair of nodes" />
    </>
  );
}

/** Bytes of each ordered pair of nodes, computed or counted. */
export function TrafficPanel({ found }: { found: Bandwidth }) {
  const [shown, setShown] = useState<string>(found.counted ? "counted" : "hour");
  const computed = found.computed.find(({ window }) => window === shown);
  return (
    <Panel title="Bytes from node to node">
      <div className="stack">
        <div>
          <SegmentedControl
            aria-label="Figures of"
            value={shown}
            onChange={setShown}
            data={[
              ...found.computed.map(({ window }) => ({ value: window, label: WINDOWS[window] })),
              { value: "counted", label: "Counted on a lab" },
            ]}
          />
        </div>
        {computed && <ComputedTraffic found={computed} />}
        {shown === "counted" && (
          <>
            {found.counted && <CountedTraffic counted={found.counted} />}
            <CountersForm clusterId={found.cluster_id} />
          </>
        )}
      </div>
    </Panel>
  );
}
