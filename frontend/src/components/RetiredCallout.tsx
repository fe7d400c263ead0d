import { Callout } from "@/ui/Callout";
import { Timestamp } from "./Timestamp";

/** Says that a link or cluster is retired: it can be read, and no longer changed. */
export function RetiredCallout({ name, at }: { name: string; at: string }) {
  return (
    <Callout
      tone="neutral"
      title={
        <>
          {name} is retired since <Timestamp at={at} />.
        </>
      }
      description="Hawser no longer observes it, and nothing can be changed. Its history, runs and audit records stay readable."
    />
  );
}
