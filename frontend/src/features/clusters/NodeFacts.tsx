import type { Node, NodeChannel } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Explanation } from "@/components/Explanation";
import { Term } from "@/components/Term";
import { Timestamp } from "@/components/Timestamp";
import { formatBytes, formatNumber, formatPosition, pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { DescriptionList } from "@/ui/DescriptionList";

const yesNo = (value: boolean | null) => (value === null ? "unknown" : value ? "yes" : "no");

function ChannelFacts({ channel }: { channel: NodeChannel }) {
  return (
    <DescriptionList
      items={[
        ["Channel", channel.name || "(default connection)"],
        ["Source", `${channel.source_host}:${channel.source_port}`],
        ["IO thread / SQL thread", `${channel.io_running} / ${channel.sql_running}`],
        [
          "Applied up to",
          <code key="e">{formatPosition(channel.exec_file, channel.exec_position)}</code>,
        ],
        [
          "Read up to",
          <code key="r">{formatPosition(channel.read_file, channel.read_position)}</code>,
        ],
        ["Lag", channel.lag_s === null ? "unknown" : `${channel.lag_s} s`],
        ["GTID", channel.using_gtid],
        ["Ignored server IDs", channel.ignore_server_ids.join(", ") || "none"],
        ["Error", channel.error || "none"],
      ]}
    />
  );
}

function general(node: Node): [string, React.ReactNode][] {
  return [
    ["Last read", <Timestamp key="o" at={node.observed_at} />],
    ["In this state since", <Timestamp key="s" at={node.since} />],
    ["Error", node.error || "none"],
    ["Flavor", `${node.flavor ?? "unknown"} ${node.version ?? ""}`],
    ["server_id", node.server_id === null ? null : String(node.server_id)],
    ["read_only", yesNo(node.read_only)],
    ["Uptime", node.uptime_s === null ? null : formatAge(node.uptime_s)],
    [
      "Clock",
      node.clock_offset_s === null
        ? null
        : `${node.clock_offset_s.toFixed(2)} s off Hawser's clock`,
    ],
    [
      "Binary logs",
      node.binlog &&
        `${pluralize(node.binlog.files, "file")} from ${node.binlog.first_file}, ${formatBytes(node.binlog.size_bytes)}`,
    ],
  ];
}

/** The state as Galera names it; a transfer of data is explained. */
function GaleraState({ state }: { state: string | null }) {
  if (state === null) return "unknown";
  if (state.startsWith("Donor")) return <Term of="donor">{state}</Term>;
  if (state !== "Joining" && state !== "Joiner") return state;
  return (
    <>
      {state}: receives its data by <Term of="IST" /> or <Term of="SST" />
    </>
  );
}

function galera(node: Node): [string, React.ReactNode][] {
  const w = node.wsrep;
  if (!w) return [["Galera", null]];
  return [
    ["Cluster status", w.cluster_status],
    ["State", <GaleraState key="s" state={w.state} />],
    ["Ready / connected", `${yesNo(w.ready)} / ${yesNo(w.connected)}`],
    ["Cluster size", formatNumber(w.cluster_size)],
    ["Last committed", formatNumber(w.last_committed)],
    ["State UUID", <code key="u">{w.state_uuid}</code>],
    ["Receive queue", formatNumber(w.recv_queue)],
  ];
}

/** Why no plan is made with this server, or why one is; the explanation names the page of the documentation. */
function WatchedOnly({ node, reason }: { node: Node; reason: string }) {
  const {
    name,
    flavor,
    version,
    is_accepted: isAccepted,
    cluster_id: clusterId,
    cluster_name: cluster,
  } = node;
  return (
    <div>
      <p className="strong">
        {name}: {isAccepted ? `Hawser was never tried with ${flavor} ${version}` : reason}.
      </p>
      {isAccepted ? (
        <p>
          An administrator accepted plans with it for{" "}
          <AppLink to="/clusters/$clusterId" params={{ clusterId }}>
            {cluster}
          </AppLink>
          . The other cluster of its link needs an acceptance, too.
        </p>
      ) : (
        <p className="dim">Its state and channels are shown. Every plan with it is refused.</p>
      )}
      <Explanation
        kind="findings"
        code={isAccepted ? "server_not_tried_accepted" : "server_watched_only"}
      />
    </div>
  );
}

/** Everything that was last read from one node. */
export function NodeFacts({ node }: { node: Node }) {
  return (
    <div className="stack">
      {node.watched_only && <WatchedOnly node={node} reason={node.watched_only} />}
      <Facts node={node} />
    </div>
  );
}

function Facts({ node }: { node: Node }) {
  return (
    <div className="split even">
      <div className="stack">
        <DescriptionList items={general(node)} />
        <DescriptionList items={galera(node)} />
      </div>
      <div className="stack">
        {node.channels === null && <p className="faint">Channels: unknown</p>}
        {node.channels?.length === 0 && (
          <p className="dim">No channel is configured on this node.</p>
        )}
        {node.channels?.map((channel) => (
          <ChannelFacts key={channel.name} channel={channel} />
        ))}
        <details>
          <summary>Variables</summary>
          <DescriptionList
            items={Object.entries(node.variables).map(([k, v]) => [k, <code key={k}>{v}</code>])}
          />
        </details>
      </div>
    </div>
  );
}
