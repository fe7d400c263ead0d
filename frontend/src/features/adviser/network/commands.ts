/** The commands for the two hosts; the token is in the environment, where other users of a host cannot read it. */
import type { NetworkScript, ProbeToken } from "@/api/types";

interface Measured {
  console: string;
  linkId: string;
  script: NetworkScript;
  token: Pick<ProbeToken, "token" | "from_node" | "to_node">;
  /** Where the serving host listens. */
  host: string;
  port: number;
}

export const downloadCommand = ({ console, script }: Pick<Measured, "console" | "script">) =>
  [
    `curl -fsSo hawser-network-probe ${console}/api/v1/network-probe`,
    `echo '${script.sha256}  hawser-network-probe' | sha256sum -c`,
  ].join("\n");

const withToken = ({ token }: Measured) =>
  `HAWSER_PROBE_TOKEN=${token.token} python3 hawser-network-probe`;

export const serveCommand = (of: Measured) =>
  `${withToken(of)} serve --listen ${of.host} --port ${of.port}`;

export const runCommand = (of: Measured) =>
  `${withToken(of)} run --connect ${of.host} --port ${of.port} --link ${of.linkId} ` +
  `--from ${of.token.from_node} --to ${of.token.to_node} --console ${of.console}`;
