import type { CreateClusterRequest } from "@/api/types";

type Nodes = CreateClusterRequest["nodes"];

const LINE = /^(\S+)\s+([^\s:]+)(?::(\d+))?$/;

/** "db-a1 10.0.1.1:3307" per line; null where a line is not valid. */
export function parseNodes(text: string): Nodes | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const nodes = lines.map((line) => {
    const [, name, host, port] = LINE.exec(line) ?? [];
    return name && host ? { name, host, port: Number(port ?? 3306) } : null;
  });
  return nodes.every((node) => node !== null) && nodes.length > 0 ? nodes : null;
}

/** The nodes as such lines; the usual port is left out. */
export const formatNodes = (nodes: Nodes): string =>
  nodes
    .map(({ name, host, port }) => `${name} ${host}${port === 3306 ? "" : `:${port}`}`)
    .join("\n");
