import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { networkSqlQuery } from "@/api/resources/network";
import type { NetworkNode } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { column, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable } from "../FigureTable";
import { ms } from "./figures";

const group = ({ group_latency: latency }: NetworkNode) =>
  latency
    ? `${ms(latency.min_ms)} to ${ms(latency.max_ms)}, ${formatNumber(latency.samples)} samples`
    : "unknown";

const late = ({ delayed }: NetworkNode) => {
  if (delayed === null) return "unknown";
  return delayed.length === 0
    ? "none"
    : delayed.map(({ address, times }) => `${address} (${times})`).join(", ");
};

const COLUMNS = [
  nameColumn<NetworkNode>("Node", ({ node }) => node, { nowrap: true }),
  column<NetworkNode>("From the console", (row) => ms(row.console_round_trip_ms)),
  column<NetworkNode>("Inside its cluster", (row) => row.error || group(row)),
  column("Late members", late),
];

/** What the nodes know of the network without a program on any host. */
export function SqlPanel({ linkId }: { linkId: string }) {
  const query = useQuery(networkSqlQuery(linkId));
  return (
    <Panel
      title="By SQL alone"
      aside={
        query.data && (
          <>
            Read <Timestamp at={query.data.read_at} />
          </>
        )
      }
    >
      <div className="stack">
        <p className="dim">
          The console&apos;s own round trip to each node, <code>wsrep_evs_repl_latency</code> and{" "}
          <code>wsrep_evs_delayed</code>. None of them is measured between the two sites, so the
          verdict does not rest on them.
        </p>
        <div>
          <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
            Ask the nodes
          </Button>
        </div>
        {query.isError && <ProblemAlert error={query.error} action="ask the nodes" />}
        {query.data && (
          <FigureTable
            caption="Nodes"
            columns={COLUMNS}
            rows={query.data.nodes}
            empty="This link has no nodes."
          />
        )}
      </div>
    </Panel>
  );
}
