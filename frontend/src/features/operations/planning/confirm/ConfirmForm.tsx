import { TextInput } from "@mantine/core";
import { Problem } from "@/api/problem";
import type { Plan } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { CurlButton } from "@/components/CurlButton";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { planPageLink } from "@/components/workflow/step-link";
import { StepsOnly, usePlanLink } from "@/components/workflow/workflow-view";
import css from "@/features/operations/planning/plan/Plan.module.css";
import { Panel } from "@/ui/Panel";
import { StartProblem } from "./StartProblem";
import { useStartRun } from "./use-start-run";

interface Values extends Record<string, unknown> {
  reason: string;
  confirm: string;
  override_calendar: string;
}

const CALENDAR_CODES = ["change_freeze", "outside_change_window", "change_calendar_unknown"];

/** Whether the change calendar objected when the plan was made, or when its start was refused. */
const isOverrideNeeded = (plan: Plan, problem: unknown): boolean =>
  plan.findings.some((finding) => CALENDAR_CODES.includes(finding.code)) ||
  (problem instanceof Problem && problem.code === "change_not_allowed");

/** What is missing before the run can be started; null where nothing is. */
function missing(plan: Plan, values: Values): string | null {
  if (values.reason.trim() === "") return "Enter a reason. It is recorded in the audit log.";
  if (values.confirm.trim() === "") return `Type the link's name: ${plan.link_name}.`;
  return null;
}

interface ConfirmFormProps {
  plan: Plan;
  /** Why the plan cannot be run; null when it can. */
  blocked: string | null;
  label: string;
}

/** The reason, the name of the link, and the button that starts the run. */
export function ConfirmForm({ plan, blocked, label }: ConfirmFormProps) {
  const { form, submit, problem } = useServerForm<Values>({
    initialValues: { reason: plan.reason, confirm: "", override_calendar: "" },
  });
  const mayRun = useCan("run");
  const nextPage = usePlanLink("confirm");
  const { start, isPending } = useStartRun(plan);
  const { reason, confirm } = form.values;
  const disabledReason = mayRun
    ? (blocked ?? missing(plan, form.values))
    : "Your role can view plans but not run them.";
  const mismatch =
    confirm !== "" && !plan.link_name.startsWith(confirm)
      ? `This is not the link's name, ${plan.link_name}.`
      : null;
  const send = async (values: Values) => {
    if (disabledReason === null) await start(values);
  };
  return (
    <form onSubmit={submit(send)} className="stack">
      {problem !== null && <StartProblem plan={plan} error={problem} nextPage={nextPage} />}
      <Panel>
        <div className={css.fields}>
          <TextInput
            label="Reason or ticket"
            description="Recorded in the run, its report and the audit log"
            maxLength={500}
            {...form.getInputProps("reason")}
          />
          <TextInput
            label={`Type the link's name, ${plan.link_name}`}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps("confirm")}
            error={form.errors.confirm ?? mismatch}
          />
          {isOverrideNeeded(plan, problem) && (
            <TextInput
              label="Reason to override the change calendar"
              description="Needs the approver role. All users are warned, and it stands on the run"
              maxLength={500}
              {...form.getInputProps("override_calendar")}
            />
          )}
          {disabledReason && <p className="dim">{disabledReason}</p>}
          <div className="row end">
            <CurlButton
              method="POST"
              path={`/plans/${plan.id}/runs`}
              body={{ digest: plan.digest, confirm: plan.link_name, reason }}
            />
            <StepsOnly>
              <ButtonLink variant="default" {...planPageLink("plan", plan.id)}>
                Back to plan
              </ButtonLink>
            </StepsOnly>
            <DisabledReasonButton disabledReason={disabledReason} type="submit" loading={isPending}>
              {label}
            </DisabledReasonButton>
          </div>
        </div>
      </Panel>
    </form>
  );
}
