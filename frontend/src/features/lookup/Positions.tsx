import { useQueries } from "@tanstack/react-query";
import { Problem } from "@/api/problem";
import { xidPositionQuery } from "@/api/resources/clusters";
import type { Cluster, Located, Node } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { formatNumber, formatPosition, pluralize } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusChip } from "@/ui/StatusChip";

/** The search on one node; `data` and `error` are both missing while it runs. */
interface NodeSearch {
  node: Node;
  data: Located | undefined;
  error: Error | null;
}

function Result({ data, error }: NodeSearch) {
  if (data?.found && data.group) return <StatusChip tone="ok">found</StatusChip>;
  if (data) return <StatusChip tone="unknown">not found</StatusChip>;
  if (error) return <StatusChip tone="unknown">unknown</StatusChip>;
  return <SkeletonLines lines={1} gap={0} />;
}

function Details({ data, error }: NodeSearch) {
  if (data?.found && data.group)
    return (
      <>
        {data.group.summary}
        <span className="faint"> · {pluralize(data.group.events, "event")}</span>
      </>
    );
  if (data) return <>{data.reason ?? data.code}</>;
  if (error instanceof Problem) return <>{`${error.title}: ${error.message}`}</>;
  return error && String(error);
}

const columns = (xid: number): readonly Column<NodeSearch>[] => [
  { key: "node", header: "Node", isRowHeader: true, cell: ({ node }) => <b>{node.name}</b> },
  { key: "result", header: "Result", cell: (search) => <Result {...search} /> },
  {
    key: "position",
    header: "End position",
    cell: ({ data }) =>
      data?.found &&
      data.group && (
        <Copyable text={formatPosition(data.file, data.position)} label="the position" />
      ),
  },
  { key: "details", header: "Details", cell: (search) => <Details {...search} /> },
  {
    key: "scanned",
    header: "Scanned",
    align: "right",
    cell: ({ data }) =>
      data && (
        <span className="faint">
          {pluralize(data.scanned_events, "event")}, {Math.round(data.elapsed_ms)} ms
        </span>
      ),
  },
  {
    key: "curl",
    header: <span className="sr-only">Command</span>,
    align: "right",
    cell: ({ node }) => <CurlButton method="GET" path={`/nodes/${node.id}/locate?xid=${xid}`} />,
  },
];

/** The position of a transaction in the binary log of every node of its cluster. */
export function Positions({ cluster, xid }: { cluster: Cluster; xid: number }) {
  const answers = useQueries({
    queries: cluster.nodes.map((node) => xidPositionQuery(node.id, xid)),
  });
  const searches = cluster.nodes.map((node, index) => ({
    node,
    data: answers[index]?.data,
    error: answers[index]?.error ?? null,
  }));
  return (
    <Panel
      title={`Xid ${formatNumber(xid)} in ${cluster.name}`}
      aside="the Xid of a transaction is the same on every node of its cluster; its position differs"
    >
      <DataTable
        caption={`Positions on the nodes of ${cluster.name}`}
        columns={columns(xid)}
        rows={searches}
        rowKey={({ node }) => node.id}
        empty="This cluster has no nodes."
      />
    </Panel>
  );
}
