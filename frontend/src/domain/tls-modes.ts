import type { Cluster } from "@/api/types";

/** How Hawser can connect to the nodes of a cluster. */
export const TLS_MODES = [
  { value: "verify_identity", label: "Verify certificate and host name" },
  { value: "verify_ca", label: "Verify certificate authority" },
  { value: "required", label: "Encrypt without verification" },
  { value: "disabled", label: "No TLS" },
] as const satisfies { value: Cluster["tls"]["mode"]; label: string }[];

/** Whether the mode checks certificates, so that it needs an authority. */
export const isVerifying = (mode: string): boolean => mode.startsWith("verify");

export const tlsLabel = (mode: Cluster["tls"]["mode"]): string =>
  TLS_MODES.find(({ value }) => value === mode)?.label ?? mode;
