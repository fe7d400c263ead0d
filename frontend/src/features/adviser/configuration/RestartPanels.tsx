import type { ClusterConfiguration } from "@/api/types";
import { Panel } from "@/ui/Panel";
import { TextBlock } from "@/ui/SqlBlock";

type Fragment = ClusterConfiguration["fragments"][number];

const Lines = ({ node, text }: Fragment) => (
  <details>
    <summary>{node}</summary>
    <TextBlock text={text} label={`lines for ${node}`} />
  </details>
);

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
        {restarts.map(({ node_id: id, sentence }, at) => (
          <li key={id}>
            {at + 1}. {sentence}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
