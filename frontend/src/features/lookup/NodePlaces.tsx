import type { LookupNeighbour, LookupNodePlace } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatBytes, formatNumber } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { type Column, DataTable } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Lookup.module.css";
import { NEIGHBOUR_WORDS, placeText, STATE_TONES, STATE_WORDS } from "./places";
import { useIsNarrow } from "./use-is-narrow";

function Position({ entry }: { entry: LookupNodePlace }) {
  const { place, node } = entry;
  if (!place) return <span className="dim">{entry.detail}</span>;
  return (
    <span className={css.position}>
      <Copyable text={placeText(place)} label={`the position on ${node}`} />
      <span className="faint nowrap">
        to <span className="mono">{place.end_position}</span>, {formatBytes(place.bytes)}
      </span>
      {place.is_ambiguous && (
        <span className="dim">equal transactions of that second cannot be told apart</span>
      )}
    </span>
  );
}

function Neighbour({ neighbour }: { neighbour: LookupNeighbour }) {
  const one = neighbour.transaction;
  if (!one) return <span className="faint">{NEIGHBOUR_WORDS[neighbour.state]}</span>;
  return (
    <>
      <code>{placeText(one)}</code> <span className="dim">{one.summary}</span>
      <div className="faint">
        GTID {one.gtid ?? "none"} · Xid {one.xid ?? "none"} · server id {one.server_id} ·{" "}
        <Timestamp at={one.at} />
      </div>
    </>
  );
}

function Neighbours({ entry }: { entry: LookupNodePlace }) {
  if (!entry.place) return null;
  return (
    <DescriptionList
      items={[
        ["Before it", <Neighbour key="b" neighbour={entry.place.before} />],
        ["After it", <Neighbour key="a" neighbour={entry.place.after} />],
      ]}
    />
  );
}

const State = ({ entry }: { entry: LookupNodePlace }) => (
  <StatusChip tone={STATE_TONES[entry.state]}>{STATE_WORDS[entry.state]}</StatusChip>
);

const COLUMNS: readonly Column<LookupNodePlace>[] = [
  {
    key: "node",
    header: "Node",
    isRowHeader: true,
    cell: ({ node, cluster }) => (
      <>
        <b>{node}</b> <span className="faint">{cluster}</span>
      </>
    ),
  },
  { key: "state", header: "State", nowrap: true, cell: (entry) => <State entry={entry} /> },
  { key: "position", header: "Position", cell: (entry) => <Position entry={entry} /> },
  { key: "gtid", header: "GTID", mono: true, nowrap: true, cell: ({ place }) => place?.gtid },
  {
    key: "xid",
    header: "Xid",
    align: "right",
    cell: ({ place }) => place && (place.xid === null ? "none" : formatNumber(place.xid)),
  },
];

function Card({ entry }: { entry: LookupNodePlace }) {
  return (
    <li className={css.card}>
      <div className="row between">
        <span>
          <b>{entry.node}</b> <span className="faint">{entry.cluster}</span>
        </span>
        <State entry={entry} />
      </div>
      <Position entry={entry} />
      {entry.place && (
        <span>
          GTID <code>{entry.place.gtid ?? "none"}</code> · Xid{" "}
          <code>{entry.place.xid ?? "none"}</code>
        </span>
      )}
      {entry.place && (
        <>
          <span className="faint">Before it</span>
          <span>
            <Neighbour neighbour={entry.place.before} />
          </span>
          <span className="faint">After it</span>
          <span>
            <Neighbour neighbour={entry.place.after} />
          </span>
        </>
      )}
    </li>
  );
}

/** One row for each node, with what stands before and after; cards on a narrow screen. */
export function NodePlaces({ places }: { places: readonly LookupNodePlace[] }) {
  const isNarrow = useIsNarrow();
  if (isNarrow)
    return (
      <ul className="stack" aria-label="Nodes">
        {places.map((entry) => (
          <Card key={entry.node_id} entry={entry} />
        ))}
      </ul>
    );
  return (
    <DataTable
      caption="Nodes"
      columns={COLUMNS}
      rows={places}
      rowKey={({ node_id }) => node_id}
      empty="This link has no nodes."
      details={(entry) => (entry.place ? <Neighbours entry={entry} /> : null)}
      detailsLabel={({ node }) => `the transactions before and after it on ${node}`}
    />
  );
}
