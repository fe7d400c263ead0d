import { useQuery } from "@tanstack/react-query";
import { linkQuery } from "@/api/resources/links";
import type { CopiedNode, Plan } from "@/api/types";
import { Term } from "@/components/Term";
import { TermsInText } from "@/components/TermsInText";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import css from "./ManualStepsPanel.module.css";

const TONES: Record<CopiedNode["state"], Tone> = {
  unknown: "unknown",
  down: "neutral",
  old: "bad",
  starting: "info",
  joining: "info",
  donor: "info",
  joined: "info",
  synced: "ok",
};

/** The progress of the copy on each node, as the monitor observes it. */
function Progress({ linkId }: { linkId: string }) {
  const { data: link } = useQuery(linkQuery(linkId));
  const nodes = link?.divergence?.copied_nodes ?? [];
  if (nodes.length === 0) return null;
  const done = nodes.filter((node) => node.is_done).length;
  return (
    <div className={css.progress} role="status" aria-label="Progress of the copy">
      <p className="strong">
        {done} of {nodes.length} nodes copied
      </p>
      <ul>
        {nodes.map((node) => (
          <li key={node.node} className="row">
            <StatusChip tone={TONES[node.state]}>
              {node.state === "donor" ? <Term of="donor" /> : node.state}
            </StatusChip>
            <span className="grow">{node.sentence}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The steps to do by hand on each node, with their commands. Hawser detects the copy automatically. */
export function ManualStepsPanel({ plan }: { plan: Plan }) {
  const steps = plan.situation.guide ?? [];
  if (steps.length === 0) return null;
  return (
    <Panel title="Manual steps" aside="in this order">
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
            {step.note && (
              <p className="dim">
                <TermsInText text={step.note} />
              </p>
            )}
          </li>
        ))}
      </ol>
      <Progress linkId={plan.link_id} />
      <p className="dim note">
        Note the output of the last backup command: it is the <Term of="backup position" />. Hawser
        detects the copy once it is up; you can then attach it.
      </p>
    </Panel>
  );
}
