import type { Plan } from "@/api/types";
import type { Participants } from "@/domain/operations";
import css from "@/features/operations/plan/Plan.module.css";
import { pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import type { Tone } from "@/ui/StatusIcon";

function toneOf(plan: Plan): Tone {
  const { transactions } = plan.loss;
  if (transactions === null) return "unknown";
  if (transactions > 0) return "bad";
  return plan.kind === "failover" ? "warn" : "ok";
}

function figure(plan: Plan): string {
  const { transactions } = plan.loss;
  if (transactions === null) return "Not known";
  if (transactions > 0) return pluralize(transactions, "transaction");
  return plan.kind === "failover" ? "Nothing that was seen" : "Nothing is lost";
}

/** From where to where, and how old the last look was: what was accepted behind it nobody counted. */
function span(plan: Plan, participants: Participants): string {
  const { transactions, seconds } = plan.loss;
  const [from, to] = [participants.from ?? "the lost side", participants.to ?? "the survivor"];
  const seen = seconds === null ? "" : `${from} was last read ${formatAge(seconds)} ago.`;
  return transactions ? `Seen on ${from}, not applied on ${to}. ${seen}` : seen;
}

/** What this act loses, large enough not to be overlooked, with how sure that is. */
export function DataLossPanel({ plan, participants }: { plan: Plan; participants: Participants }) {
  const large = plan.kind === "failover" || plan.loss.transactions !== 0;
  const title = plan.loss.transactions ? "What is lost, at most" : "What is lost";
  return (
    <Panel tone={toneOf(plan)} {...(large ? { title } : {})}>
      <div className={large ? css.figure : css.loss}>{figure(plan)}</div>
      {large && <p className="strong">{span(plan, participants)}</p>}
      {plan.loss.detail && (
        <p className="dim note">
          {large && <b>How sure: </b>}
          {plan.loss.detail}
        </p>
      )}
    </Panel>
  );
}
