import type { ConfigurationNode } from "@/api/types";
import { Callout } from "@/ui/Callout";

/** The nodes whose configuration is unknown, with the reason; nothing where all were read. */
export function UnreadNodes(props: { nodes: readonly ConfigurationNode[]; consequence: string }) {
  const unread = props.nodes.filter(({ read_at: readAt }) => readAt === null);
  if (unread.length === 0) return null;
  return (
    <Callout
      tone="unknown"
      title={`Configuration unknown: ${unread.map(({ node }) => node).join(", ")}`}
      description={
        <>
          {unread.map(({ node, error }) => (
            <p key={node}>
              {node}: {error}.
            </p>
          ))}
          <p>{props.consequence}</p>
        </>
      }
    />
  );
}
