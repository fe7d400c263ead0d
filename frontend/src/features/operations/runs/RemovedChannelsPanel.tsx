import type { Verification } from "@/api/types";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

type Removed = NonNullable<Verification["removed_channels"]>[number];

/** The server has no GTID position before its first transaction with one. */
const gtidOf = (channel: Removed): string =>
  channel.gtid === "" ? "none" : (channel.gtid ?? "unknown");

const COLUMNS: readonly Column<Removed>[] = [
  nameColumn("Direction", (channel) => <b>{channel.direction}</b>),
  column("Node", (channel) => channel.node, { nowrap: true }),
  column("Source", (channel) => channel.source_name, { nowrap: true }),
  column("Stopped at", (channel) => <code>{`${channel.file}:${channel.position}`}</code>),
  column("gtid_slave_pos", (channel) => <code>{gtidOf(channel)}</code>),
];

/** The channels that the run removed, and the positions with which they can be set up again by hand. */
export function RemovedChannelsPanel({ channels }: { channels: Removed[] }) {
  return (
    <Panel title="Removed channels" aside="positions to set them up again by hand">
      <DataTable
        caption="Removed channels and where they stopped"
        columns={COLUMNS}
        rows={channels}
        rowKey={(channel) => `${channel.direction} ${channel.node} ${channel.name}`}
        empty="No channel was removed."
      />
    </Panel>
  );
}
