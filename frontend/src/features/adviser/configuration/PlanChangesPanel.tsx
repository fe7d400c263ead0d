import { Select } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { linksQuery } from "@/api/resources/links";
import { planQuery, useCreatePlan } from "@/api/resources/plans";
import type { ConfigurationRow, Link } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { planChecksLink } from "@/components/workflow/step-link";
import { linksOfCluster, settingsRequest } from "@/domain/setting-plans";
import { pluralize } from "@/lib/format/number";

interface PlanChangesProps {
  clusterId: string;
  /** The rows that were ticked. */
  rows: readonly ConfigurationRow[];
}

const NO_LINK = "A plan is made on a link, and this cluster has none. Run the statements by hand.";

function blockedReason(rows: readonly ConfigurationRow[], mayPlan: boolean): string | null {
  if (!mayPlan) return "Your role can view plans but not create them.";
  return rows.length === 0 ? "Tick the settings to change first." : null;
}

function PlanButton({ clusterId, rows, link }: PlanChangesProps & { link: Link }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const creating = useCreatePlan(link.id);
  const create = () =>
    creating.mutate(settingsRequest(rows, link, clusterId), {
      onSuccess: (plan) => {
        client.setQueryData(planQuery(plan.id).queryKey, plan);
        void navigate(planChecksLink(plan));
      },
    });
  return (
    <>
      {creating.isError && <ProblemAlert error={creating.error} action="create the plan" />}
      <div className="row">
        <DisabledReasonButton
          disabledReason={blockedReason(rows, useCan("plan"))}
          loading={creating.isPending}
          onClick={create}
        >
          Plan these changes…
        </DisabledReasonButton>
        <span className="dim">
          {pluralize(rows.length, "setting")} ticked. The plan is shown first; nothing is changed
          yet.
        </span>
      </div>
    </>
  );
}

/** Makes a plan of the ticked settings, on a link of the cluster; the plan's page follows. */
export function PlanChangesPanel(props: PlanChangesProps) {
  const { data } = useQuery(linksQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const links = linksOfCluster(data?.results ?? [], props.clusterId);
  const link = links.find(({ id }) => id === chosen) ?? links[0];
  if (!data) return null;
  if (!link) return <p className="dim">{NO_LINK}</p>;
  return (
    <div className="stack">
      {links.length > 1 && (
        <Select
          label="Link whose plan it is"
          description="The run takes the lock of this link."
          allowDeselect={false}
          value={link.id}
          data={links.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
          w={320}
        />
      )}
      <PlanButton {...props} link={link} />
    </div>
  );
}
