import type { CreateClusterRequest } from "@/api/types";

export interface FormValues {
  name: string;
  site: string;
  nodes: string;
  tlsMode: CreateClusterRequest["tls"]["mode"];
  tlsCa: string;
  monitorUser: string;
  monitorPassword: string;
  operatorUser: string;
  operatorPassword: string;
  replicationUser: string;
  replicationPassword: string;
}

export const emptyForm = (): FormValues => ({
  name: "",
  site: "",
  nodes: "",
  tlsMode: "verify_identity",
  tlsCa: "",
  monitorUser: "",
  monitorPassword: "",
  operatorUser: "",
  operatorPassword: "",
  replicationUser: "",
  replicationPassword: "",
});

const LINE = /^(\S+)\s+([^\s:]+)(?::(\d+))?$/;

/** "db-a1 10.0.1.1:3307" per line; null where a line cannot be read. */
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

export const validate = {
  name: (value: string) => (value.trim() ? null : "Give it a name"),
  site: (value: string) => (value.trim() ? null : "Name the site it stands at"),
  nodes: (value: string) => (parseNodes(value) ? null : "One node per line: name host[:port]"),
  monitorUser: (value: string) => (value ? null : "Needed"),
  operatorUser: (value: string) => (value ? null : "Needed"),
  replicationUser: (value: string) => (value ? null : "Needed"),
};

/** The form as the API takes it. */
export function toRequest(values: FormValues): CreateClusterRequest {
  return {
    name: values.name.trim(),
    site: values.site.trim(),
    nodes: parseNodes(values.nodes) ?? [],
    credentials: {
      monitor: { user: values.monitorUser, password: values.monitorPassword },
      operator: { user: values.operatorUser, password: values.operatorPassword },
      replication: { user: values.replicationUser, password: values.replicationPassword },
    },
    tls: { mode: values.tlsMode, ...(values.tlsCa.trim() ? { ca: values.tlsCa } : {}) },
  };
}
