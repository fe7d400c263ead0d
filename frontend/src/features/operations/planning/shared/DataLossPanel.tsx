import type { Plan } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import type { Participants } from "@/domain/operations";
import css from "@/features/operations/planning/plan/Plan.module.css";
import { Panel } from "@/ui/Panel";
import { dataLossLabel, dataLossTone } from "./data-loss";

/** Which transactions are lost, and when the side was last read: later ones could not be counted. */
function Basis({ plan, participants }: { plan: Plan; participants: Participants }) {
  const { transactions, at_least: atLeast, read_at: readAt } = plan.loss;
  const [from, to] = [participants.from ?? "the lost side", participants.to ?? "the survivor"];
  return (
    <p className="strong">
      {(transactions ?? atLeast)
        ? `These transactions were read on ${from} and are not applied on ${to}. `
        : ""}
      {readAt !== null && (
        <>
          {from} was last read at <Timestamp at={readAt} />.
        </>
      )}
    </p>
  );
}

/** The data loss of a plan, large enough not to be missed, and how certain it is. */
export function DataLossPanel({ plan, participants }: { plan: Plan; participants: Participants }) {
  const { transactions, detail } = plan.loss;
  const isLarge = plan.kind === "failover" || transactions !== 0;
  return (
    <Panel tone={dataLossTone(plan)} {...(isLarge ? { title: "Data loss" } : {})}>
      <div className={isLarge ? css.figure : css.loss}>{dataLossLabel(plan)}</div>
      {isLarge && <Basis plan={plan} participants={participants} />}
      {detail && <p className="dim note">{detail}</p>}
    </Panel>
  );
}
