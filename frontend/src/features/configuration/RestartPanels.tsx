import type { ClusterConfiguration } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";

type Fragment = ClusterConfiguration["fragments"][number];

function Lines({ node, text }: Fragment) {
  const label = `Lines for ${node}`;
  return (
    <details>
      <summary>{node}</summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep the line breaks of a file */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre className="scroll mono" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy the lines for ${node}`} words="Copy lines" />
    </details>
  );
}

/** The lines for each node's configuration file, without which a change is lost at the next restart. */
export function FragmentsPanel({ fragments }: Pick<ClusterConfiguration, "fragments">) {
  if (fragments.length === 0) return null;
  return (
    <Panel title="Lines for the configuration files">
      <div className="stack">
        <p className="dim">
          A statement lasts until the next restart. These lines hold all recommended changes.
        </p>
        {fragments.map((fragment) => (
          <Lines key={fragment.node} {...fragment} />
        ))}
      </div>
    </Panel>
  );
}

/** The order in which the nodes are restarted for the changes that need it. */
export function RestartsPanel({ restarts }: Pick<ClusterConfiguration, "restarts">) {
  if (restarts.length === 0) return null;
  return (
    <Panel title="Order of restarts" aside="nodes that carry a channel last">
      <ol>
        {restarts.map(({ node_id: id, sentence }) => (
          <li key={id}>{sentence}</li>
        ))}
      </ol>
    </Panel>
  );
}
