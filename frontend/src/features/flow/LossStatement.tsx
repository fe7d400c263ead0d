import type { Plan } from "@/api/types";
import type { Cast } from "@/lib/kinds";
import { counted } from "@/lib/numbers";
import { formatAge } from "@/lib/time";
import type { Tone } from "@/lib/tone";
import { Panel } from "@/ui/Panel";
import css from "./Plan.module.css";

const toneOf = (transactions: number | null): Tone =>
  transactions === 0 ? "ok" : transactions === null ? "unknown" : "bad";

function figure(transactions: number | null): string {
  if (transactions === null) return "Not known";
  return transactions === 0 ? "Nothing is lost" : counted(transactions, "transaction");
}

/** From where to where, over how long: in the words of the sites. */
function span(plan: Plan, cast: Cast): string {
  const { transactions, seconds } = plan.loss;
  if (transactions === 0) return "";
  const where = `acknowledged in ${cast.from ?? "the lost side"}, never received in ${cast.to ?? "the survivor"}`;
  const time = seconds === null ? "over a time nobody knows" : `over at most ${formatAge(seconds)}`;
  return `${where}, ${time}`;
}

/** What this act loses, large enough not to be overlooked, with how sure that is. */
export function LossStatement({ plan, cast }: { plan: Plan; cast: Cast }) {
  const { transactions, detail } = plan.loss;
  const loses = transactions !== 0;
  return (
    <Panel tone={toneOf(transactions)} {...(loses ? { title: "What is lost, at most" } : {})}>
      <div className={loses ? css.figure : css.loss}>{figure(transactions)}</div>
      {loses && <p className="strong">{span(plan, cast)}</p>}
      {detail && (
        <p className="dim note">
          {loses && <b>How sure: </b>}
          {detail}
        </p>
      )}
    </Panel>
  );
}
