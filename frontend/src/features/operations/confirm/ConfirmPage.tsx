import { Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { Problem } from "@/api/problem";
import { runQuery, useStartRun } from "@/api/resources/runs";
import type { Plan } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { CurlButton } from "@/components/CurlButton";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { useServerTime } from "@/components/use-server-time";
import { useCan } from "@/components/use-session";
import { planPageLink } from "@/components/workflow/step-link";
import { stripNodePrefix } from "@/domain/step-title";
import { stepBlockedReason } from "@/domain/workflow";
import { AttestationForm } from "@/features/operations/checks/AttestationForm";
import { givenAttestations } from "@/features/operations/checks/attestations";
import css from "@/features/operations/plan/Plan.module.css";
import { planConfirmLabel, reasonGiven } from "@/features/operations/plan/plan-script";
import { DataLossPanel } from "@/features/operations/shared/DataLossPanel";
import {
  PlanLayout,
  planState,
  usePlanParticipants,
  WithPlan,
} from "@/features/operations/shared/PlanLayout";
import { RefusedPlan, ReplanButton } from "@/features/operations/shared/RefusedPlan";
import { randomId } from "@/lib/random-id";
import { Panel } from "@/ui/Panel";
import { QUIET_CHANGES } from "./quiet-changes";
import { StartProblem } from "./StartProblem";

const confirmLink = (plan: Plan) => planPageLink("confirm", plan.id);

function useStart(plan: Plan, confirm: string, reason: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  // One key for this page's intent: pressing twice starts once.
  const [idempotencyKey] = useState(randomId);
  const starting = useStartRun(plan);
  const start = () =>
    starting.mutate(
      { digest: plan.digest, confirm, reason, idempotencyKey },
      {
        onSuccess: (run) => {
          client.setQueryData(runQuery(run.id).queryKey, run);
          void navigate({ to: "/runs/$runId", params: { runId: run.id } });
        },
      },
    );
  return { ...starting, start };
}

/** What a person answered for, as this plan was told it. */
function GivenAttestations({ plan }: { plan: Plan }) {
  const attested = givenAttestations(plan);
  if (attested.length === 0) return null;
  return (
    <Panel title="What somebody answers for" aside={`recorded under ${plan.created_by}`}>
      <ul className="stack attest">
        {attested.map((finding) => (
          <li key={finding.message}>
            <Checkbox checked readOnly label={finding.message} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The one thing missing before the button may be pressed. */
function missing(
  plan: Plan,
  blocked: string | null,
  mayRun: boolean,
  typed: string,
  reason: string,
): string | null {
  if (!mayRun) return "Your role may read plans, not start them.";
  if (blocked) return blocked;
  if (reason.trim() === "") return "Give a reason: it goes into the record.";
  if (typed.trim() === "") return `Type the link's name: ${plan.link_name}.`;
  return null;
}

function ConfirmForm(props: { plan: Plan; blocked: string | null; act: string }) {
  const { plan, blocked, act } = props;
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState(reasonGiven(plan));
  const mayRun = useCan("run");
  const start = useStart(plan, typed, reason);
  const because = missing(plan, blocked, mayRun, typed, reason);
  const mismatch =
    typed !== "" && !plan.link_name.startsWith(typed)
      ? `This is not the link's name, ${plan.link_name}.`
      : null;
  const refused = start.error instanceof Problem ? (start.error.field("confirm") ?? null) : null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (because === null) start.start();
  };
  return (
    <form onSubmit={submit} className="stack">
      {start.isError && <StartProblem plan={plan} error={start.error} nextPage={confirmLink} />}
      <Panel>
        <div className={css.fields}>
          <TextInput
            label="Reason or ticket"
            description="Goes into the run, its report and the audit record"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={500}
          />
          <TextInput
            label={`Type the link's name, ${plan.link_name}`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            error={refused ?? mismatch}
          />
          {because && <p className="dim">{because}</p>}
          <div className="row end">
            <CurlButton
              method="POST"
              path={`/plans/${plan.id}/runs`}
              body={{ digest: plan.digest, confirm: plan.link_name, reason }}
            />
            <ButtonLink variant="default" to="/plans/$planId/plan" params={{ planId: plan.id }}>
              Back to the plan
            </ButtonLink>
            <DisabledReasonButton disabledReason={because} type="submit" loading={start.isPending}>
              {act}
            </DisabledReasonButton>
          </div>
        </div>
      </Panel>
    </form>
  );
}

interface Happening {
  key: number;
  nodes: string[];
  title: string;
  wall: boolean;
}

/** What is done, in order; the same act on one node after another is one line. */
function summarizeChanges(plan: Plan): Happening[] {
  const lines: Happening[] = [];
  for (const step of plan.steps) {
    const changes = step.sql.length > 0 || step.point_of_no_return || step.code in QUIET_CHANGES;
    if (!changes) continue;
    const title = stripNodePrefix(step.title, step.node);
    const last = lines.at(-1);
    if (last && step.node && last.title === title && !step.point_of_no_return)
      last.nodes.push(step.node);
    else
      lines.push({
        key: step.index,
        nodes: [step.node ?? "Hawser"],
        title,
        wall: step.point_of_no_return,
      });
  }
  return lines;
}

/** What a failover says of the lost side's return: a run of its own then rests on this confirmation. */
const ON_RETURN = new Set(["lost_side_fenced_on_return", "lost_side_not_fenced_on_return"]);

function WhatHappens({ plan }: { plan: Plan }) {
  const isPointOfNoReturn = plan.steps.findIndex((step) => step.point_of_no_return);
  const later = plan.findings.filter((finding) => ON_RETURN.has(finding.code));
  return (
    <Panel title="What happens when you press it">
      <ol className="stack attest">
        {summarizeChanges(plan).map((line) => (
          <li key={line.key}>
            <b>{line.nodes.join(", ")}</b>: {line.title}
            {line.wall && <span className="faint"> · no return from here</span>}
          </li>
        ))}
      </ol>
      {later.map((finding) => (
        <p key={finding.code} className="note">
          {finding.message}
        </p>
      ))}
      <p className="faint note">
        {isPointOfNoReturn === -1
          ? "Every step can be undone: abort restores what was there."
          : "Before the point of no return, abort restores what was there, with all its options."}
      </p>
    </Panel>
  );
}

function Confirm({ plan }: { plan: Plan }) {
  const state = planState(plan, useServerTime());
  const participants = usePlanParticipants(plan);
  const blocked = stepBlockedReason("confirm", {
    linkId: plan.link_id,
    plan: { id: plan.id, state },
    run: null,
  });
  return (
    <PlanLayout plan={plan} step="confirm">
      <RefusedPlan plan={plan} nextPage={confirmLink} />
      <div className={css.columns}>
        <div className="stack">
          <DataLossPanel plan={plan} participants={participants} />
          <AttestationForm plan={plan} nextPage={confirmLink} />
          <GivenAttestations plan={plan} />
          <ConfirmForm plan={plan} blocked={blocked} act={planConfirmLabel(plan, participants)} />
          {state === "expired" && (
            <ReplanButton
              plan={plan}
              nextPage={confirmLink}
              words="Plan again with the facts of now"
            />
          )}
        </div>
        <WhatHappens plan={plan} />
      </div>
    </PlanLayout>
  );
}

export function ConfirmPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/confirm" });
  return <WithPlan planId={planId}>{(plan) => <Confirm key={plan.id} plan={plan} />}</WithPlan>;
}
