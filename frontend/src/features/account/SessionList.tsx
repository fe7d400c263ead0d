import type { Session } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { StatusChip } from "@/ui/StatusChip";
import { AccessEntry } from "./AccessEntry";
import { browserName } from "./browser-name";

type End = (id: string) => Promise<unknown>;

function SessionEntry({ session, end }: { session: Session; end: End }) {
  const browser = browserName(session.user_agent);
  const from = session.source_ip || "an unknown address";
  return (
    <AccessEntry
      name={
        <span title={session.user_agent}>
          {browser} {session.is_current && <StatusChip tone="ok">this one</StatusChip>}
        </span>
      }
      facts={
        <>
          from {from} · signed in <Timestamp at={session.created_at} /> · last used{" "}
          <Timestamp at={session.last_active_at} />
        </>
      }
      queryKey="sessions"
      words="End"
      doing="Ending the session"
      label={`End ${browser} from ${from}`}
      end={session.is_current ? null : () => end(session.id)}
    />
  );
}

/** Sign-ins of browsers that still work. The one in use ends by signing out. */
export function SessionList({ sessions, end }: { sessions: readonly Session[]; end: End }) {
  if (sessions.length === 0) return <p className="dim">No session works.</p>;
  return (
    <ul>
      {sessions.map((session) => (
        <SessionEntry key={session.id} session={session} end={end} />
      ))}
    </ul>
  );
}
