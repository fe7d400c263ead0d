import { useId } from "react";
import type { Orphans } from "@/api/types";
import {
  ORPHAN_STRATEGIES,
  type OrphanStrategy,
  orphanStrategyText,
  type Participants,
} from "@/domain/operations";
import { Panel } from "@/ui/Panel";
import { strategyBlockedReason } from "./strategy-availability";
import css from "./TargetPage.module.css";

const TITLE = "Handling of orphaned transactions";

interface StrategyChoiceProps {
  participants: Participants;
  orphans: Orphans | undefined;
  isWritable: boolean;
  chosen: OrphanStrategy | null;
  onChoose: (strategy: OrphanStrategy) => void;
}

/** How the orphaned transactions of the returned side are handled. */
export function StrategyChoice(props: StrategyChoiceProps) {
  const { participants, orphans, isWritable, chosen, onChoose } = props;
  const name = useId();
  return (
    <Panel title={TITLE}>
      <div className={css.choices} role="radiogroup" aria-label={TITLE}>
        {ORPHAN_STRATEGIES.map((strategy) => {
          const text = orphanStrategyText(strategy, participants);
          const blocked = strategyBlockedReason(strategy, orphans, isWritable);
          return (
            <label key={strategy} className={css.choice}>
              <input
                type="radio"
                name={name}
                value={strategy}
                checked={chosen === strategy}
                disabled={blocked !== null}
                onChange={() => onChoose(strategy)}
                aria-label={text.title}
              />
              <span>
                <span className={css.name}>{text.title}</span>
                <span className={css.line}>
                  <br />
                  {text.description}
                  <br />
                  {text.after}
                </span>
              </span>
              {blocked !== null && <span className={css.blocked}>{blocked}</span>}
            </label>
          );
        })}
      </div>
    </Panel>
  );
}
