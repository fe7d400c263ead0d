import { Button, Select, TextInput } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { Problem } from "@/api/problem";
import { clustersQuery, xidPositionQuery } from "@/api/resources/clusters";
import type { Cluster, Located, Node, Page } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { formatNumber, formatPosition } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusChip } from "@/ui/StatusChip";

const digits = (text: string) => text.replace(/[,\s_]/g, "");

interface SearchProps {
  clusters: readonly Cluster[];
  cluster: string | undefined;
  xid: string | undefined;
}

function SearchForm({ clusters, cluster, xid }: SearchProps) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(cluster ?? clusters[0]?.id ?? null);
  const [typed, setTyped] = useState(xid ?? "");
  const valid = /^\d+$/.test(digits(typed));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (valid && chosen)
      void navigate({ to: "/lookup", search: { cluster: chosen, xid: digits(typed) } });
  };
  return (
    <form onSubmit={submit} className="row">
      <Select
        label="Cluster that wrote the transaction"
        data={clusters.map((entry) => ({ value: entry.id, label: `${entry.name}, ${entry.site}` }))}
        value={chosen}
        onChange={setChosen}
        allowDeselect={false}
        w={280}
      />
      <TextInput
        label="Xid (its wsrep seqno)"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        inputMode="numeric"
        w={220}
        error={typed && !valid ? "Digits only" : null}
      />
      <Button type="submit" mt={24} disabled={!valid || !chosen}>
        Find it on every node
      </Button>
    </form>
  );
}

function Answer({ data }: { data: Located }) {
  if (!data.found || !data.group)
    return (
      <>
        <td>
          <StatusChip tone="unknown">not found</StatusChip>
        </td>
        <td colSpan={2}>{data.reason ?? data.code}</td>
      </>
    );
  return (
    <>
      <td>
        <StatusChip tone="ok">found</StatusChip>
      </td>
      <td>
        ends at <Copyable text={formatPosition(data.file, data.position)} label="the position" />
      </td>
      <td>
        {data.group.summary}
        <span className="faint"> · {formatNumber(data.group.events)} events</span>
      </td>
    </>
  );
}

function Results({ cluster, xid }: { cluster: Cluster; xid: number }) {
  const answers = useQueries({
    queries: cluster.nodes.map((node: Node) => xidPositionQuery(node.id, xid)),
  });
  return (
    <Panel
      title={`Xid ${formatNumber(xid)} in ${cluster.name}`}
      aside="the same transaction has the same Xid on each node of its cluster, at another place"
    >
      <table className="grid">
        <tbody>
          {cluster.nodes.map((node, index) => {
            const answer = answers[index];
            return (
              <tr key={node.id}>
                <td className="strong">{node.name}</td>
                {answer?.data && <Answer data={answer.data} />}
                {answer?.isError && (
                  <>
                    <td>
                      <StatusChip tone="unknown">no answer</StatusChip>
                    </td>
                    <td colSpan={2}>
                      {answer.error instanceof Problem
                        ? answer.error.message
                        : String(answer.error)}
                    </td>
                  </>
                )}
                {answer?.isPending && (
                  <td colSpan={3}>
                    <SkeletonLines lines={1} gap={0} />
                  </td>
                )}
                <td className="num faint">
                  {answer?.data &&
                    `${formatNumber(answer.data.scanned_events)} events, ${Math.round(answer.data.elapsed_ms)} ms`}
                </td>
                <td className="num">
                  <CurlButton
                    method="GET"
                    path={`/nodes/${node.id}/locate?xid=${xid}`}
                    words="curl"
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}

/** The manual step of the old recipe: a transaction's number in, its place on every node out. */
export function LookupPage() {
  const { cluster, xid } = useSearch({ from: "/shell/lookup" });
  const query = useQuery(clustersQuery());
  return (
    <>
      <PageHeader title="Lookup" />
      <QueryBoundary<Page<Cluster>> query={query} label="the clusters">
        {(page) => {
          const chosen = page.results.find((entry) => entry.id === cluster);
          return (
            <div className="stack">
              <Panel>
                <SearchForm clusters={page.results} cluster={cluster} xid={xid} />
              </Panel>
              {chosen && xid && (
                <Results key={`${chosen.id}${xid}`} cluster={chosen} xid={Number(xid)} />
              )}
            </div>
          );
        }}
      </QueryBoundary>
    </>
  );
}
