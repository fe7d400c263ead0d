import type { Plan } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import css from "./Guide.module.css";

/** What a person does by hand, node by node, with the commands to copy; the console goes on by itself afterwards. */
export function GuidePanel({ plan }: { plan: Plan }) {
  const steps = plan.situation.guide ?? [];
  if (steps.length === 0) return null;
  return (
    <Panel title="What you do" aside="by hand, in this order">
      <ol className={css.steps}>
        {steps.map((step) => (
          <li key={step.title} className={css.step}>
            <div>
              <span className="strong">{step.node}</span> <span className="dim">{step.title}</span>
            </div>
            <div className={css.commands}>
              <pre>{step.commands.join("\n")}</pre>
              <CopyButton
                text={step.commands.join("\n")}
                label={`Copy the commands for ${step.node}`}
              />
            </div>
          </li>
        ))}
      </ol>
      <p className="dim note">
        Keep the last line of both info files: either of them is the backup position. Nothing waits
        meanwhile; once the copy is up it is recognised and can be attached.
      </p>
    </Panel>
  );
}
