import type { Plan } from "@/api/types";
import type { Participants } from "@/domain/operations";
import { Panel } from "@/ui/Panel";
import { runtimeProofs } from "./runtime-proofs";

/** What is proven only while the plan runs, and what follows where a proof does not hold. */
export function RuntimeProofsTable({
  plan,
  participants,
}: {
  plan: Plan;
  participants: Participants;
}) {
  const proofs = runtimeProofs(plan.kind, plan.steps, participants);
  if (proofs.length === 0) return null;
  return (
    <Panel title="Proven in the run" aside="each before the next step is taken">
      <table className="grid">
        <thead>
          <tr>
            <th>Step</th>
            <th>What must hold</th>
            <th>How it is proven</th>
            <th>Otherwise</th>
          </tr>
        </thead>
        <tbody>
          {proofs.map((proof) => (
            <tr key={proof.step}>
              <td className="mono">{proof.step}</td>
              <td className="strong">{proof.claim}</td>
              <td>{proof.how}</td>
              <td className="dim">{proof.otherwise}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
