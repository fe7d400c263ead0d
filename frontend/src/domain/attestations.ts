/** The attestations of a plan or of an item of an incident, as the server derives them from its findings and options. */
import type { Plan, PlanOptions } from "@/api/types";

type PlanFinding = Plan["findings"][number];
export type Attestation = NonNullable<PlanFinding["attestation"]>;
type WithFindings = Pick<Plan, "findings">;

/** One statement to attest, with the findings that it answers. */
export interface RequiredAttestation {
  key: string;
  attestation: Attestation;
  messages: string[];
}

/** What is attested of an unreachable node: word for word what the server's plans ask for. */
export const fencedLabel = (node: string): string =>
  `I attest that ${node} is fenced: powered off, or isolated from applications and from the other side`;

const keyOf = ({ option, node_id }: Attestation) => `${option} ${node_id ?? ""}`;

/** The attestations that a new plan could be given, each once. */
export function requiredAttestations(plan: WithFindings): RequiredAttestation[] {
  const byKey = new Map<string, RequiredAttestation>();
  for (const { attestation, message } of plan.findings) {
    if (!attestation || attestation.is_given) continue;
    const key = keyOf(attestation);
    const known = byKey.get(key);
    if (known) known.messages.push(message);
    else byKey.set(key, { key, attestation, messages: [message] });
  }
  return [...byKey.values()];
}

/** The attestations that this plan was given. */
export const givenAttestations = (plan: WithFindings): Attestation[] =>
  plan.findings.flatMap(({ attestation }) => (attestation?.is_given ? [attestation] : []));

/** The same as statements, each once and in the words that were attested. */
export const givenStatements = (plan: WithFindings): string[] => [
  ...new Set(givenAttestations(plan).map(({ label }) => label)),
];

/** Options that take what they are given for: ids of nodes, names of channels. Every other one is a plain yes. */
const LIST_OPTIONS = ["attest_fenced", "remove_also"] as const;
type ListOption = (typeof LIST_OPTIONS)[number];

/** The options of a plan, together with these attestations. */
export function withAttestations(
  options: PlanOptions,
  attestations: readonly Attestation[],
): PlanOptions {
  const added = (list: ListOption) =>
    attestations.flatMap(({ option, node_id }) => (option === list ? (node_id ?? []) : []));
  const lists = LIST_OPTIONS.filter((list) => added(list).length > 0);
  const plain = attestations.filter(({ node_id }) => node_id === null);
  return {
    ...options,
    ...Object.fromEntries(lists.map((list) => [list, [...(options[list] ?? []), ...added(list)]])),
    ...Object.fromEntries(plain.map(({ option }) => [option, true])),
  };
}
