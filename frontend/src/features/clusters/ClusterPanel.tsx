import { Button } from "@mantine/core";
import { useCheckCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { FindingList } from "@/components/FindingList";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { shortHash } from "@/lib/format/number";
import { DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { NodeFacts } from "./NodeFacts";
import { nodeColumns } from "./node-columns";

interface ClusterPanelProps {
  cluster: Cluster;
  openNode: string | undefined;
  readAt: number;
}

/** The nodes of a cluster, with the details of the one that the address names. */
export function ClusterPanel({ cluster, openNode, readAt }: ClusterPanelProps) {
  const mayCheck = useCan("register");
  const check = useCheckCluster();
  const open = cluster.nodes.find((node) => node.id === openNode);
  return (
    <Panel
      title={
        <>
          <AppLink to="/clusters/$clusterId" params={{ clusterId: cluster.id }}>
            {cluster.name}
          </AppLink>
          {` · ${cluster.site}`}
        </>
      }
      aside={
        <>
          <span>
            state UUID <code>{shortHash(cluster.state_uuid)}</code> · TLS {cluster.tls.mode}
          </span>
          {mayCheck && (
            <Button
              size="compact-xs"
              variant="default"
              loading={check.isPending}
              onClick={() => check.mutate(cluster.id)}
              aria-label={`Check ${cluster.name}: connection, TLS, grants and settings`}
            >
              Check cluster
            </Button>
          )}
        </>
      }
    >
      <DataTable
        caption={`Nodes of ${cluster.name}`}
        columns={nodeColumns(readAt, openNode)}
        rows={cluster.nodes}
        rowKey={(node) => node.id}
        empty="This cluster has no nodes."
      />
      {open && <NodeFacts node={open} />}
      {check.isError && <ProblemAlert error={check.error} action="check the cluster" />}
      {check.data && <FindingList findings={check.data.findings} showCodes />}
    </Panel>
  );
}
