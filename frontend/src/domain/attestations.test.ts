import { makePlan } from "@mock/seeds/plans";
import { describe, expect, it } from "vitest";
import type { Plan } from "@/api/types";
import { givenStatements, requiredAttestations, withAttestations } from "./attestations";

type Attestation = NonNullable<Plan["findings"][number]["attestation"]>;

const attestation = (over: Partial<Attestation> = {}): Attestation => ({
  option: "accept_loss",
  node_id: null,
  node: null,
  label: "I accept this data loss",
  is_override: false,
  is_given: false,
  ...over,
});
const fenced = (node: string) =>
  attestation({ option: "attest_fenced", node_id: `n_${node}`, node, label: `${node} is fenced` });

const plan = (...attestations: (Attestation | null)[]) =>
  ({
    findings: attestations.map((entry, index) => ({ message: `m${index}`, attestation: entry })),
  }) as unknown as Plan;

describe("the attestations a plan requires", () => {
  it("test_required__two_findings_of_one_option__once_with_both_messages", () => {
    const [required, ...others] = requiredAttestations(plan(attestation(), null, attestation()));
    expect(required?.messages).toEqual(["m0", "m2"]);
    expect(others).toEqual([]);
  });
  it("test_required__given_already__none", () => {
    const given = plan(
      attestation({ is_given: true }),
      attestation({ is_given: true }),
      fenced("a1"),
    );
    expect(requiredAttestations(given).map(({ attestation: { node } }) => node)).toEqual(["a1"]);
    expect(givenStatements(given)).toEqual(["I accept this data loss"]);
  });
  it("test_required__nodes__one_each", () =>
    expect(
      requiredAttestations(plan(fenced("a1"), fenced("a2"), fenced("a1"))).map(
        (required) => required.attestation.node,
      ),
    ).toEqual(["a1", "a2"]));
  it("test_required__refused_plan__names_its_unreachable_node", () =>
    expect(
      requiredAttestations(makePlan("p_2", "", { source_node: "n_a3" })).map(
        (required) => required.attestation.node,
      ),
    ).toEqual(["db-a1"]));
});

describe("the options of the next plan", () => {
  it("test_options__nodes_and_plain_options__added_to_those_given_before", () =>
    expect(
      withAttestations({ attest_fenced: ["n_a1"], accept_loss: false }, [
        fenced("a2"),
        attestation(),
      ]),
    ).toEqual({ attest_fenced: ["n_a1", "n_a2"], accept_loss: true }));
  it("test_options__channels_to_remove__added_to_their_own_list", () =>
    expect(
      withAttestations({ remove_also: ["db-b1/vip"] }, [
        attestation({ option: "remove_also", node_id: "db-b2/", node: "db-b2/" }),
      ]),
    ).toEqual({ remove_also: ["db-b1/vip", "db-b2/"] }));
  it("test_options__nothing_attested__unchanged", () =>
    expect(withAttestations({ source_node: "n_a1" }, [])).toEqual({ source_node: "n_a1" }));
});
