import { Button, Group, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { clusterConcurrencyQuery } from "@/api/resources/concurrency";
import type { Cluster, ClusterConcurrency } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { RequirePermission } from "@/components/RequirePermission";
import { Panel } from "@/ui/Panel";
import { RunningResult } from "./RunningResult";

interface Props {
  clusters: readonly Cluster[];
  chosen: Cluster;
  onChoose: (clusterId: string) => void;
  onRead: (found: ClusterConcurrency) => void;
}

function Chooser({ clusters, chosen, onChoose, onRead }: Props) {
  const query = useQuery(clusterConcurrencyQuery(chosen.id));
  const read = async () => {
    const { data, isSuccess } = await query.refetch();
    if (isSuccess) onRead(data);
  };
  return (
    <>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Cluster"
          data={clusters.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen.id}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
        <Button variant="default" loading={query.isFetching} onClick={() => void read()}>
          Read from the cluster
        </Button>
      </Group>
      {query.isError && <ProblemAlert error={query.error} action="read from the cluster" />}
      {query.data && <RunningResult found={query.data} />}
    </>
  );
}

/** Fills the form with what the nodes of a cluster say of their distance. */
export function RunningClusterPanel(props: Props) {
  return (
    <Panel title="From a running cluster">
      <div className="stack">
        <p className="dim">
          A node knows how long its write-sets take to all members and back:{" "}
          <code>wsrep_evs_repl_latency</code>. Only a node that writes has samples, and they start
          again each <code>evs.stats_report_period</code>. Ranges go from the fastest delivery to
          the mean one. Nothing is written to any node.
        </p>
        <RequirePermission permission="lookup" action="ask the nodes of a cluster">
          <Chooser {...props} />
        </RequirePermission>
      </div>
    </Panel>
  );
}
