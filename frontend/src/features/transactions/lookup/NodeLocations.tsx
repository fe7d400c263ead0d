import type { LookupNeighbour, LookupNodeLocation } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatBytes, formatNumber } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Lookup.module.css";
import { NEIGHBOUR_WORDS, positionText, STATE_TONES, STATE_WORDS } from "./locations";
import { useIsNarrow } from "./use-is-narrow";

function Position({ entry }: { entry: LookupNodeLocation }) {
  const { location, node } = entry;
  if (!location) return <span className="dim">{entry.detail}</span>;
  return (
    <span className={css.position}>
      <Copyable text={positionText(location)} label={`the position on ${node}`} />
      <span className="faint nowrap">
        to <span className="mono">{location.end_position}</span>, {formatBytes(location.bytes)}
      </span>
      {location.is_ambiguous && (
        <span className="dim">equal transactions of that second cannot be distinguished</span>
      )}
    </span>
  );
}

function Neighbour({ neighbour }: { neighbour: LookupNeighbour }) {
  const one = neighbour.transaction;
  if (!one) return <span className="faint">{NEIGHBOUR_WORDS[neighbour.state]}</span>;
  return (
    <>
      <code>{positionText(one)}</code> <span className="dim">{one.summary}</span>
      <div className="faint">
        GTID {one.gtid ?? "none"} · Xid {one.xid ?? "none"} · server id {one.server_id} ·{" "}
        <Timestamp at={one.at} />
      </div>
    </>
  );
}

function Neighbours({ entry }: { entry: LookupNodeLocation }) {
  if (!entry.location) return null;
  return (
    <DescriptionList
      items={[
        ["Before it", <Neighbour key="b" neighbour={entry.location.before} />],
        ["After it", <Neighbour key="a" neighbour={entry.location.after} />],
      ]}
    />
  );
}

const State = ({ entry }: { entry: LookupNodeLocation }) => (
  <StatusChip tone={STATE_TONES[entry.state]}>{STATE_WORDS[entry.state]}</StatusChip>
);

const COLUMNS: readonly Column<LookupNodeLocation>[] = [
  nameColumn("Node", ({ node, cluster }) => (
    <>
      <b>{node}</b> <span className="faint">{cluster}</span>
    </>
  )),
  column("State", (entry) => <State entry={entry} />, { nowrap: true }),
  column("Position", (entry) => <Position entry={entry} />),
  column("GTID", ({ location }) => location?.gtid, { nowrap: true, mono: true }),
  numberColumn(
    "Xid",
    ({ location }) => location && (location.xid === null ? "none" : formatNumber(location.xid)),
  ),
];

function Card({ entry }: { entry: LookupNodeLocation }) {
  return (
    <li className={css.card}>
      <div className="row between">
        <span>
          <b>{entry.node}</b> <span className="faint">{entry.cluster}</span>
        </span>
        <State entry={entry} />
      </div>
      <Position entry={entry} />
      {entry.location && (
        <span>
          GTID <code>{entry.location.gtid ?? "none"}</code> · Xid{" "}
          <code>{entry.location.xid ?? "none"}</code>
        </span>
      )}
      {entry.location && (
        <>
          <span className="faint">Before it</span>
          <span>
            <Neighbour neighbour={entry.location.before} />
          </span>
          <span className="faint">After it</span>
          <span>
            <Neighbour neighbour={entry.location.after} />
          </span>
        </>
      )}
    </li>
  );
}

/** One row for each node, with what stands before and after; cards on a narrow screen. */
export function NodeLocations({ locations }: { locations: readonly LookupNodeLocation[] }) {
  const isNarrow = useIsNarrow();
  if (isNarrow)
    return (
      <ul className="stack" aria-label="Nodes">
        {locations.map((entry) => (
          <Card key={entry.node_id} entry={entry} />
        ))}
      </ul>
    );
  return (
    <DataTable
      caption="Nodes"
      columns={COLUMNS}
      rows={locations}
      rowKey={({ node_id }) => node_id}
      empty="This link has no nodes."
      details={(entry) => (entry.location ? <Neighbours entry={entry} /> : null)}
      detailsLabel={({ node }) => `the transactions before and after it on ${node}`}
    />
  );
}
