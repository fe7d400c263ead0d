import { Button, PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { commands } from "@/api/commands";
import { Problem } from "@/api/problem";
import type { Cluster, CreateClusterRequest } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { PageHeader } from "@/components/PageHeader";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { emptyForm, type FormValues, toRequest, validate } from "./cluster-form";

const TLS_MODES = [
  { value: "verify_identity", label: "Verify the server's name" },
  { value: "verify_ca", label: "Verify the certificate authority" },
  { value: "required", label: "Encrypt, verify nothing" },
  { value: "disabled", label: "No TLS" },
];

const ACCOUNTS = [
  { key: "monitor", label: "Monitor", hint: "reads states and binary logs" },
  { key: "operator", label: "Operator", hint: "changes channels, only within a run" },
  { key: "replication", label: "Replication", hint: "the channels sign in with it" },
] as const;

function useRegister() {
  const check = useMutation({ mutationFn: (id: string) => commands.checkCluster(id) });
  const register = useMutation({
    mutationFn: (draft: CreateClusterRequest) => commands.registerCluster(draft),
    onSuccess: (cluster) => check.mutate(cluster.id),
  });
  return { register, check };
}

function RegistrationResult({
  cluster,
  check,
}: {
  cluster: Cluster;
  check: ReturnType<typeof useRegister>["check"];
}) {
  return (
    <div className="stack">
      <Callout
        tone="ok"
        title={`${cluster.name} is registered with ${cluster.nodes.length} nodes. Nothing on it was changed.`}
        actions={
          <>
            <ButtonLink variant="default" to="/clusters">
              All clusters
            </ButtonLink>
            <ButtonLink to="/links/new">Join it into a link…</ButtonLink>
          </>
        }
      />
      {check.isError && <ProblemAlert error={check.error} action="The check" />}
      <Panel title="Connection, TLS, grants and settings">
        {check.data ? (
          <FindingList findings={check.data.findings} showCodes />
        ) : (
          <p className="dim">Checking…</p>
        )}
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

/** A cluster in one form; the answer says at once what is missing and which statement puts it right. */
export function CreateClusterPage() {
  const { register, check } = useRegister();
  const form = useForm<FormValues>({ initialValues: emptyForm(), validate });
  const fieldError = (name: string) =>
    register.error instanceof Problem ? register.error.field(name) : undefined;
  if (register.data)
    return (
      <>
        <PageHeader title="Register a cluster" />
        <RegistrationResult cluster={register.data} check={check} />
      </>
    );
  return (
    <>
      <PageHeader title="Register a cluster" />
      <form
        className="stack"
        onSubmit={form.onSubmit((values) => register.mutate(toRequest(values)))}
      >
        {register.isError && <ProblemAlert error={register.error} action="Registering" />}
        <Panel title="The cluster">
          <div className="row">
            <TextInput
              label="Name"
              placeholder="milan"
              {...form.getInputProps("name")}
              error={form.errors.name ?? fieldError("name")}
            />
            <TextInput label="Site" placeholder="Milan" {...form.getInputProps("site")} />
            <Select
              label="TLS"
              data={TLS_MODES}
              allowDeselect={false}
              w={270}
              {...form.getInputProps("tlsMode")}
            />
          </div>
          {form.values.tlsMode.startsWith("verify") && (
            <Textarea
              label="Certificate authority (PEM)"
              autosize
              minRows={3}
              mt={10}
              {...form.getInputProps("tlsCa")}
            />
          )}
        </Panel>
        <Panel title="Nodes" aside="one per line: name host[:port]">
          <Textarea
            aria-label="Nodes, one per line"
            placeholder={"db-a1 10.0.1.1\ndb-a2 10.0.1.2\ndb-a3 10.0.1.3:3307"}
            autosize
            minRows={3}
            classNames={{ input: "mono" }}
            {...form.getInputProps("nodes")}
          />
        </Panel>
        <Panel title="Accounts" aside="passwords are kept sealed and are never shown again">
          <div className="stack attest">
            {ACCOUNTS.map(({ key, label, hint }) => (
              <div className="row" key={key}>
                <TextInput
                  label={`${label}: user`}
                  description={hint}
                  autoComplete="off"
                  {...form.getInputProps(`${key}User`)}
                />
                <PasswordInput
                  label={`${label}: password`}
                  description=" "
                  w={240}
                  autoComplete="new-password"
                  {...form.getInputProps(`${key}Password`)}
                />
              </div>
            ))}
          </div>
        </Panel>
        <div className="row end">
          <Button type="submit" loading={register.isPending}>
            Register and check it
          </Button>
        </div>
      </form>
    </>
  );
}
