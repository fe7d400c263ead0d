import type { LinkDetail, Orphans } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { useCan } from "@/components/use-session";
import { firstStepLink } from "@/components/workflow/step-link";
import { type OrphanStrategy, orphanStrategyText } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Panel } from "@/ui/Panel";
import css from "./Orphans.module.css";

const CHOICES: Record<Orphans["state"], readonly OrphanStrategy[]> = {
  found: ["replay", "undo", "rebuild"],
  none: ["attach", "rebuild"],
  unknown: ["fence", "rebuild"],
  not_needed: [],
};

const BUTTON: Record<OrphanStrategy, string> = {
  fence: "Plan fence…",
  attach: "Plan attach…",
  replay: "Plan replay…",
  undo: "Plan undo…",
  rebuild: "Plan rebuild…",
};

/** How the lost side can be reprotected; each strategy starts with a plan. */
export function StrategyList({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const mayPlan = useCan("plan");
  const strategies = CHOICES[orphans.state];
  if (strategies.length === 0 || link.retired_at !== null) return null;
  const participants = currentParticipants("reprotect", link);
  return (
    <Panel title="Strategies" aside="each starts with a plan; nothing is changed from this page">
      <ul>
        {strategies.map((strategy) => {
          const text = orphanStrategyText(strategy, participants);
          return (
            <li key={strategy} className={css.way}>
              <div>
                <div className="strong">{text.title}</div>
                <div className="dim">
                  {text.description} {text.after}
                </div>
              </div>
              {mayPlan && (
                <ButtonLink
                  variant="default"
                  {...firstStepLink("situation", link.id, "reprotect", { orphans: strategy })}
                >
                  {BUTTON[strategy]}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
