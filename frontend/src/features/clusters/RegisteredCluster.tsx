import { Button } from "@mantine/core";
import type { useCheckCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { ProblemAlert } from "@/components/ProblemAlert";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

interface RegisteredClusterProps {
  cluster: Cluster;
  check: ReturnType<typeof useCheckCluster>;
}

/** A cluster that was just registered, with its first check. */
export function RegisteredCluster({ cluster, check }: RegisteredClusterProps) {
  return (
    <div className="stack">
      <Callout
        tone="ok"
        title={`${cluster.name} is registered with ${pluralize(cluster.nodes.length, "node")}. Nothing on it was changed.`}
        actions={
          <>
            <ButtonLink variant="default" to="/clusters">
              View clusters
            </ButtonLink>
            <ButtonLink to="/links/new">Register link…</ButtonLink>
          </>
        }
      />
      {check.isError && <ProblemAlert error={check.error} action="check the cluster" />}
      <Panel title="Connection, TLS, grants and settings">
        {check.data && <FindingList findings={check.data.findings} showCodes />}
        {check.isPending && <p className="dim">Checking…</p>}
        <Button
          mt={8}
          variant="default"
          loading={check.isPending}
          onClick={() => check.mutate(cluster.id)}
        >
          Check again
        </Button>
      </Panel>
    </div>
  );
}
