import type { Session } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { StatusChip } from "@/ui/StatusChip";
import { AccessEntry } from "./AccessEntry";
import { browserName } from "./browser-name";

type End = (id: string) => Promise<unknown>;

function SessionEntry({ session, end }: { session: Session; end: End }) {
  const browser = browserName(session.user_agent);
  const address = session.source_ip || "unknown address";
  return (
    <AccessEntry
      name={
        <span title={session.user_agent}>
          {browser} {session.is_current && <StatusChip tone="ok">this session</StatusChip>}
        </span>
      }
      facts={
        <>
          {address} · signed in <Timestamp at={session.created_at} /> · last used{" "}
          <Timestamp at={session.last_active_at} />
        </>
      }
      ending={
        session.is_current
          ? null
          : {
              label: "End session",
              subject: `${browser}, ${address}`,
              effect: "This browser is signed out. The user can sign in again.",
              action: "end the session",
              success: "Session ended.",
              end: () => end(session.id),
            }
      }
    />
  );
}

/** Active sessions. The current one ends by signing out. */
export function SessionList({ sessions, end }: { sessions: readonly Session[]; end: End }) {
  if (sessions.length === 0) return <p className="dim">No active sessions.</p>;
  return (
    <ul>
      {sessions.map((session) => (
        <SessionEntry key={session.id} session={session} end={end} />
      ))}
    </ul>
  );
}
