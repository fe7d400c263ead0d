import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { clustersQuery } from "@/api/resources/clusters";
import { linksQuery } from "@/api/resources/links";
import { environmentsQuery, useAssignRole } from "@/api/resources/teams";
import type { AssignRoleRequest, RoleScope } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import { asRole, type Role, SCOPED_ROLES } from "@/domain/permissions";

const SCOPES: { value: RoleScope; label: string }[] = [
  { value: "link", label: "Link" },
  { value: "cluster", label: "Cluster" },
  { value: "environment", label: "Environment" },
  { value: "everything", label: "Everything" },
];
const asScope = (value: string | null) =>
  SCOPES.find((scope) => scope.value === value)?.value ?? "link";

interface Choice {
  value: string;
  label: string;
}

/** What a role of this kind can be assigned for; empty while it is read, and where there is nothing. */
function useChoices(kind: RoleScope): Choice[] {
  const links = useQuery(linksQuery()).data?.results ?? [];
  const clusters = useQuery(clustersQuery()).data?.results ?? [];
  const environments = useQuery(environmentsQuery()).data?.results ?? [];
  if (kind === "environment") return environments.map(({ name }) => ({ value: name, label: name }));
  const rows = kind === "link" ? links : kind === "cluster" ? clusters : [];
  return rows.map(({ id, name }) => ({ value: id, label: name }));
}

/** Why nothing can be assigned yet; null where it can. */
const missing = (kind: RoleScope, scope: string, choices: readonly Choice[]): string | null => {
  if (kind === "everything" || scope) return null;
  if (choices.length > 0) return `Choose the ${kind}.`;
  return kind === "environment"
    ? "No link or cluster has an environment. Set it in the settings of a link or cluster."
    : `There is no ${kind}.`;
};

/** Assigns a role to a user or to a team, for everything or for a part. */
export function AssignRoleForm({
  to,
  name,
}: {
  to: { user: string } | { team: string };
  name: string;
}) {
  const assign = useAssignRole();
  const refusal = useRefusal("manage_users");
  const { form, submit, problem } = useServerForm({
    initialValues: {
      role: "operator" as Role,
      scope_kind: "link" as RoleScope,
      scope: "",
      expires_at: "",
      reason: "",
    },
  });
  const { scope_kind: kind, scope } = form.values;
  const choices = useChoices(kind);
  const send = submit(async ({ expires_at: end, ...values }) => {
    const expires_at = end ? new Date(end).toISOString() : null;
    const body: AssignRoleRequest = { ...values, ...to, expires_at };
    await assign.mutateAsync(body);
    form.reset();
    showSuccess(`Role assigned to ${name}.`);
  });
  return (
    <>
      <form onSubmit={send} className="row top">
        <Select
          size="xs"
          label={`New role of ${name}`}
          data={SCOPED_ROLES}
          allowDeselect={false}
          value={form.values.role}
          onChange={(value) => form.setFieldValue("role", asRole(value))}
          error={form.errors.role}
        />
        <Select
          size="xs"
          label="For"
          data={SCOPES}
          allowDeselect={false}
          value={kind}
          onChange={(value) => form.setValues({ scope_kind: asScope(value), scope: "" })}
        />
        {kind !== "everything" && (
          <Select
            size="xs"
            label={SCOPES.find(({ value }) => value === kind)?.label}
            data={choices}
            searchable
            limit={100}
            {...form.getInputProps("scope")}
          />
        )}
        <TextInput
          size="xs"
          type="datetime-local"
          label="Ends (optional)"
          {...form.getInputProps("expires_at")}
        />
        <TextInput size="xs" label="Reason (optional)" {...form.getInputProps("reason")} />
        <DisabledReasonButton
          type="submit"
          size="xs"
          variant="default"
          className="beside"
          loading={assign.isPending}
          disabledReason={refusal ?? missing(kind, scope, choices)}
        >
          Assign role
        </DisabledReasonButton>
      </form>
      {problem !== null && <ProblemAlert error={problem} action={`assign a role to ${name}`} />}
    </>
  );
}
