import { TextInput } from "@mantine/core";
import type { LinkDetail, PlanKind, PlanOptions } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { CurlButton } from "@/components/CurlButton";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { firstStepLink } from "@/components/workflow/step-link";
import { StepsOnly, usePlanLink } from "@/components/workflow/workflow-view";
import { STALE_REASON } from "@/domain/freshness";
import { useCreatePlan } from "@/features/operations/planning/shared/use-create-plan";
import { Panel } from "@/ui/Panel";

interface PlanRequestPanelProps {
  link: LinkDetail;
  kind: PlanKind;
  options: PlanOptions;
  stale: boolean;
  /** What is still to be chosen; null when nothing is. */
  disabledReason: string | null;
  submitLabel: string;
}

/** The right column of every target page: an optional reason, and the button that creates the plan. */
export function PlanRequestPanel(props: PlanRequestPanelProps) {
  const { link, kind, options, stale, submitLabel } = props;
  const { form, submit, problem } = useServerForm({ initialValues: { reason: "" } });
  const planning = useCreatePlan(link.id, usePlanLink("checks"));
  const request = { kind, reason: form.values.reason.trim(), options };
  const disabledReason = planning.refusal ?? (stale ? STALE_REASON : props.disabledReason);
  const send = async () => {
    if (disabledReason === null) await planning.createAsync(request);
  };
  return (
    <form className="stack" onSubmit={submit(send)}>
      <Panel title="Reason">
        <TextInput
          label="Reason or ticket"
          description="Optional for a plan, required to run it. Recorded in the plan, the report and the audit log"
          maxLength={500}
          {...form.getInputProps("reason")}
        />
      </Panel>
      {problem !== null && <ProblemAlert error={problem} action="create the plan" />}
      <DisabledReasonButton
        type="submit"
        disabledReason={disabledReason}
        loading={planning.isPending}
      >
        {submitLabel}
      </DisabledReasonButton>
      {disabledReason && <p className="dim">{disabledReason}</p>}
      <div className="row between">
        <StepsOnly>
          <ButtonLink variant="default" {...firstStepLink("situation", link.id, kind)}>
            Back to situation
          </ButtonLink>
        </StepsOnly>
        <CurlButton method="POST" path={`/links/${link.id}/plans`} body={request} />
      </div>
      <p className="faint">Creating a plan only reads from both clusters; nothing is changed.</p>
    </form>
  );
}
