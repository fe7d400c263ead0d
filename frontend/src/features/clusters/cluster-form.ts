import type { CreateClusterRequest } from "@/api/types";
import {
  type ClientCertificateValues,
  noClientCertificate,
  typedTexts,
} from "@/components/ClientCertificateFields";
import { accountBody, type PasswordSourceKind } from "@/components/PasswordSource";
import { parseNodes } from "@/domain/node-lines";

type Tls = CreateClusterRequest["tls"];

/** The request as the user types it: the nodes are lines of text. */
export interface FormValues extends Record<string, unknown> {
  name: string;
  site: string;
  nodes: string;
  tls: { mode: Tls["mode"]; ca: string } & ClientCertificateValues;
  credentials: Record<keyof CreateClusterRequest["credentials"], AccountValues>;
}

interface AccountValues {
  user: string;
  source: PasswordSourceKind;
  password: string;
  reference: string;
}

const account = (): AccountValues => ({
  user: "",
  source: "sealed",
  password: "",
  reference: "",
});

export const emptyForm = (): FormValues => ({
  name: "",
  site: "",
  nodes: "",
  tls: { mode: "verify_identity", ca: "", ...noClientCertificate() },
  credentials: { monitor: account(), operator: account(), replication: account() },
});

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
  const { mode, ...texts } = values.tls;
  const { monitor, operator, replication } = values.credentials;
  return {
    name: values.name.trim(),
    site: values.site.trim(),
    nodes: parseNodes(values.nodes) ?? [],
    credentials: {
      monitor: accountBody(monitor),
      operator: accountBody(operator),
      replication: accountBody(replication),
    },
    tls: { mode, ...typedTexts(texts) },
  };
}
