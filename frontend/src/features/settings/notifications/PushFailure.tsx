import { Problem } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Callout } from "@/ui/Callout";

/** Why a change of Web Push failed: refused by the server, or not possible in this browser. */
export function PushFailure({ error }: { error: Error }) {
  if (error instanceof Problem) return <ProblemAlert error={error} action="change Web Push" />;
  return (
    <Callout
      live
      tone="bad"
      title="Web Push could not be changed in this browser."
      description={error.message}
    />
  );
}
