import type { Plan } from "@/api/types";
import type { Participants } from "@/domain/operations";
import css from "@/features/operations/plan/Plan.module.css";
import { pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { dataLossLabel, dataLossTone } from "./data-loss";

/** Which transactions are lost, and the age of the last reading: later ones could not be counted. */
function basis(plan: Plan, participants: Participants): string {
  const { transactions, seconds } = plan.loss;
  const [from, to] = [participants.from ?? "the lost side", participants.to ?? "the survivor"];
  const read = seconds === null ? "" : `${from} was last read ${formatAge(seconds)} ago.`;
  return transactions
    ? `These transactions were read on ${from} and are not applied on ${to}. ${read}`
    : read;
}

/** The data loss of a plan, large enough not to be missed, and how certain it is. */
export function DataLossPanel({ plan, participants }: { plan: Plan; participants: Participants }) {
  const { transactions, detail } = plan.loss;
  const isLarge = plan.kind === "failover" || transactions !== 0;
  const title = transactions ? "Data loss (at most)" : "Data loss";
  return (
    <Panel tone={dataLossTone(plan)} {...(isLarge ? { title } : {})}>
      <div className={isLarge ? css.figure : css.loss}>
        {transactions ? pluralize(transactions, "transaction") : dataLossLabel(plan)}
      </div>
      {isLarge && <p className="strong">{basis(plan, participants)}</p>}
      {detail && (
        <p className="dim note">
          {isLarge && <b>Confidence: </b>}
          {detail}
        </p>
      )}
    </Panel>
  );
}
