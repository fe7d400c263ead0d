import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { clustersQuery } from "@/api/resources/clusters";
import type { Cluster, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";

function Form({ clusters }: { clusters: readonly Cluster[] }) {
  const [name, setName] = useState("");
  const [channel, setChannel] = useState("");
  const [active, setActive] = useState<string | null>(clusters[0]?.id ?? null);
  const [standby, setStandby] = useState<string | null>(clusters[1]?.id ?? null);
  const [probe, setProbe] = useState(true);
  const [approval, setApproval] = useState(false);
  const navigate = useNavigate();
  const data = clusters.map((cluster) => ({
    value: cluster.id,
    label: `${cluster.name}, ${cluster.site}`,
  }));
  const register = useMutation({
    mutationFn: () =>
      commands.registerLink({
        name,
        active_cluster: active ?? "",
        standby_cluster: standby ?? "",
        channel_name: channel,
        create_probe: probe,
        requires_approval: approval,
      }),
    onSuccess: (link) => void navigate({ to: "/links/$linkId", params: { linkId: link.id } }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    register.mutate();
  };
  const complete = Boolean(name && active && standby && active !== standby);
  return (
    <form onSubmit={submit} className="stack">
      {register.isError && <ProblemAlert error={register.error} action="Registering the link" />}
      <Panel title="The link" aside="its channels are discovered, not changed">
        <div className="row">
          <TextInput
            label="Name"
            placeholder="payments"
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Select
            label="Active: applications write here"
            data={data}
            value={active}
            onChange={setActive}
            w={240}
          />
          <Select
            label="Standby"
            data={data}
            value={standby}
            onChange={setStandby}
            w={240}
            error={active && active === standby ? "Two different clusters" : null}
          />
          <TextInput
            label="Connection name"
            placeholder="(default)"
            value={channel}
            onChange={(e) => setChannel(e.currentTarget.value)}
          />
        </div>
      </Panel>
      <Panel title="What you agree to">
        <div className="stack attest">
          <Checkbox
            checked={probe}
            onChange={(e) => setProbe(e.currentTarget.checked)}
            label="Create the schema hawser with its one small table, hawser.probe, on both sides"
            description="A probe transaction proves that a channel carries; without it, verification rests on the seam alone and says so. Nothing else is ever written outside a run."
          />
          <Checkbox
            checked={approval}
            onChange={(e) => setApproval(e.currentTarget.checked)}
            label="A second person approves every run on this link"
            description="Can be switched on at any time; switching it off later waits for a second administrator, or for a while."
          />
        </div>
      </Panel>
      <div className="row end">
        <Button type="submit" disabled={!complete} loading={register.isPending}>
          Register the link
        </Button>
      </div>
    </form>
  );
}

export function CreateLinkPage() {
  const query = useQuery(clustersQuery());
  return (
    <>
      <PageHeader title="Register a link" />
      <QueryBoundary<Page<Cluster>> query={query} label="the clusters">
        {(page) =>
          page.results.length < 2 ? (
            <Panel>
              A link joins two clusters, and {page.results.length === 0 ? "none is" : "only one is"}{" "}
              registered. <AppLink to="/clusters/new">Register a cluster…</AppLink>
            </Panel>
          ) : (
            <Form clusters={page.results} />
          )
        }
      </QueryBoundary>
    </>
  );
}
