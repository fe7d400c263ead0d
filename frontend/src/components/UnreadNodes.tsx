import type { ConfigurationNode } from "@/api/types";
import { Callout } from "@/ui/Callout";
import { Timestamp } from "./Timestamp";

interface NodesProps {
  nodes: readonly ConfigurationNode[];
}

/** When the node that was read longest ago was read; nothing where none was. */
export function ReadAt({ nodes }: NodesProps) {
  const [oldest] = nodes.flatMap(({ read_at: readAt }) => readAt ?? []).sort();
  if (!oldest) return null;
  return (
    <p className="dim">
      Read from the nodes at <Timestamp at={oldest} /> or later.
    </p>
  );
}

/** Nodes by the reason why they were not read. */
function byReason(nodes: readonly ConfigurationNode[]): [string, string[]][] {
  const reasons = [...new Set(nodes.map(({ error }) => error))];
  return reasons.map((reason) => [
    reason,
    nodes.filter(({ error }) => error === reason).map(({ node }) => node),
  ]);
}

/** The nodes whose configuration is unknown, with the reason; nothing where all were read. */
export function UnreadNodes({ nodes, consequence }: NodesProps & { consequence: string }) {
  const unread = nodes.filter(({ read_at: readAt }) => readAt === null);
  if (unread.length === 0) return null;
  return (
    <Callout
      tone="unknown"
      title={`Configuration unknown: ${unread.map(({ node }) => node).join(", ")}`}
      description={
        <>
          {byReason(unread).map(([reason, names]) => (
            <p key={reason}>
              {names.join(", ")}: {reason}.
            </p>
          ))}
          <p>{consequence}</p>
        </>
      }
    />
  );
}
