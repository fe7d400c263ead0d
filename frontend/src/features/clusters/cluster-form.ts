import type { CreateClusterRequest } from "@/api/types";

type Tls = CreateClusterRequest["tls"];

/** The request as the user types it: the nodes are lines of text. */
export interface FormValues extends Record<string, unknown> {
  name: string;
  site: string;
  nodes: string;
  tls: { mode: Tls["mode"]; ca: string };
  credentials: CreateClusterRequest["credentials"];
}

const account = () => ({ user: "", password: "" });

export const emptyForm = (): FormValues => ({
  name: "",
  site: "",
  nodes: "",
  tls: { mode: "verify_identity", ca: "" },
  credentials: { monitor: account(), operator: account(), replication: account() },
});

const LINE = /^(\S+)\s+([^\s:]+)(?::(\d+))?$/;

/** "db-a1 10.0.1.1:3307" per line; null where a line is not valid. */
export function parseNodes(text: string): CreateClusterRequest["nodes"] | null {
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

const user = (value: string) => (value ? null : "Required");

export const validate = {
  name: (value: string) => (value.trim() ? null : "Enter a name"),
  site: (value: string) => (value.trim() ? null : "Enter a site"),
  nodes: (value: string) =>
    parseNodes(value) ? null : "Enter one node per line: name host[:port]",
  credentials: { monitor: { user }, operator: { user }, replication: { user } },
};

/** The form as the API expects it. */
export function toRequest(values: FormValues): CreateClusterRequest {
  const { mode, ca } = values.tls;
  return {
    name: values.name.trim(),
    site: values.site.trim(),
    nodes: parseNodes(values.nodes) ?? [],
    credentials: values.credentials,
    tls: { mode, ...(ca.trim() ? { ca } : {}) },
  };
}
