import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { commands } from "@/api/commands";
import { clustersQuery } from "@/api/resources/clusters";
import type { Cluster, Node, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { FindingList } from "@/components/FindingList";
import { PageHeader } from "@/components/PageHeader";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useDataAge } from "@/components/use-data-age";
import { useCan } from "@/components/use-session";
import { nodeStatus } from "@/domain/node-status";
import { formatNumber, formatPosition, shortHash } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { NodeFacts } from "./NodeFacts";

function NodeRow({ node, open, readAt }: { node: Node; open: boolean; readAt: number }) {
  const age = useDataAge(node.age_s, readAt);
  const status = nodeStatus(node, age, serverNow());
  return (
    <>
      <tr>
        <td>
          <AppLink
            to="/clusters"
            search={{ node: open ? undefined : node.id }}
            aria-expanded={open}
            className="strong"
          >
            {node.name}
          </AppLink>
          <div className="faint mono">
            {node.host}:{node.port}
          </div>
        </td>
        <td>
          <StatusChip tone={status.tone}>{status.word}</StatusChip>
        </td>
        <td>{node.version ?? <span className="faint">unknown</span>}</td>
        <td className="num">{node.wsrep ? formatNumber(node.wsrep.last_committed) : "unknown"}</td>
        <td className="mono">
          {node.binlog ? formatPosition(node.binlog.file, node.binlog.position) : "unknown"}
        </td>
        <td className="num">{node.probe_ms === null ? "–" : `${node.probe_ms.toFixed(1)} ms`}</td>
        <td className="num">{age === null ? "never read" : formatAge(age)}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={7}>
            <NodeFacts node={node} />
          </td>
        </tr>
      )}
    </>
  );
}

function ClusterPanel({
  cluster,
  openNode,
  readAt,
}: {
  cluster: Cluster;
  openNode: string | undefined;
  readAt: number;
}) {
  const mayCheck = useCan("register");
  const check = useMutation({ mutationFn: () => commands.checkCluster(cluster.id) });
  return (
    <Panel
      title={`${cluster.name} · ${cluster.site}`}
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
              onClick={() => check.mutate()}
            >
              Check connection, TLS, grants, settings
            </Button>
          )}
        </>
      }
    >
      <div className="scroll">
        <table className="grid">
          <thead>
            <tr>
              <th>Node</th>
              <th>State</th>
              <th>Version</th>
              <th className="num">Last committed</th>
              <th>Binlog</th>
              <th className="num">Answer</th>
              <th className="num">Age</th>
            </tr>
          </thead>
          <tbody>
            {cluster.nodes.map((node) => (
              <NodeRow key={node.id} node={node} open={node.id === openNode} readAt={readAt} />
            ))}
          </tbody>
        </table>
      </div>
      {check.isError && <ProblemAlert error={check.error} action="The check" />}
      {check.data && <FindingList findings={check.data.findings} showCodes />}
    </Panel>
  );
}

export function ClustersPage() {
  const { node } = useSearch({ from: "/shell/clusters" });
  const query = useQuery(clustersQuery());
  const mayRegister = useCan("register");
  return (
    <>
      <PageHeader
        title="Clusters"
        right={mayRegister && <AppLink to="/clusters/new">Register a cluster…</AppLink>}
      />
      <QueryBoundary<Page<Cluster>> query={query} label="the clusters">
        {(page) => (
          <div className="stack">
            {page.results.map((cluster) => (
              <ClusterPanel
                key={cluster.id}
                cluster={cluster}
                openNode={node}
                readAt={query.dataUpdatedAt}
              />
            ))}
            {page.results.length === 0 && <Panel>No cluster is registered yet.</Panel>}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
