import { TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { LinkDetail, PlanKind, PlanOptions } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { CurlButton } from "@/components/CurlButton";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { firstStepLink, planChecksLink } from "@/components/workflow/step-link";
import { reasonToSend } from "@/features/operations/plan/plan-script";
import { useCreatePlan } from "@/features/operations/shared/use-create-plan";
import { Panel } from "@/ui/Panel";

interface AskProps {
  link: LinkDetail;
  kind: PlanKind;
  options: PlanOptions;
  stale: boolean;
  /** What is still to be chosen; null when nothing is. */
  disabledReason: string | null;
  submitLabel: string;
  children?: ReactNode;
}

/** The right column of every target page: why, and the button that asks the server for the plan. */
export function PlanRequestPanel({
  link,
  kind,
  options,
  stale,
  disabledReason,
  submitLabel,
  children,
}: AskProps) {
  const [reason, setReason] = useState("");
  const planning = useCreatePlan(link.id, planChecksLink);
  const request = { kind, reason: reasonToSend(reason), options };
  const why = stale
    ? "The facts are older than 5 s; wait until they are read again."
    : disabledReason;
  return (
    <div className="stack">
      {children}
      <Panel title="Why">
        <TextInput
          label="Reason or ticket"
          description="Goes into the plan, the report and the audit record"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </Panel>
      {planning.isError && <ProblemAlert error={planning.error} action="Planning" />}
      <DisabledReasonButton
        disabledReason={why}
        loading={planning.isPending}
        onClick={() => planning.create(request)}
      >
        {submitLabel}
      </DisabledReasonButton>
      {why && <p className="dim">{why}</p>}
      <div className="row between">
        <ButtonLink variant="default" {...firstStepLink("situation", link.id, kind)}>
          Back to the situation
        </ButtonLink>
        <CurlButton method="POST" path={`/links/${link.id}/plans`} body={request} />
      </div>
      <p className="faint">The check reads both sides and plans; it changes nothing.</p>
    </div>
  );
}
