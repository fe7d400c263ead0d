import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { Panel } from "@/ui/Panel";
import { Go } from "./Go";
import { Until } from "./Until";
import { changesAbout } from "./waiting";

/** Says of a user or a link which changes were held back, until when, and where they are confirmed. */
export function HeldBack({ target }: { target: string }) {
  const { data } = useQuery(queries.waiting());
  const changes = changesAbout(data, target);
  if (changes.length === 0) return null;
  return (
    <Panel tone="warn">
      <div role="status" className="stack">
        {changes.map((change) => (
          <p key={change.id}>
            Held back: {change.summary} It takes effect <Until at={change.effective_at} />, or when
            a second administrator confirms it under <Go to="/waiting">Waiting</Go>.
          </p>
        ))}
      </div>
    </Panel>
  );
}
