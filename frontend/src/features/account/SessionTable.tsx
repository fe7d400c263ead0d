import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Session } from "@/api/types";
import { Moment } from "@/components/clock";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Chip } from "@/ui/Chip";
import { browserOf } from "./browser";

type End = (id: string) => Promise<unknown>;

function SessionRow({ session, end }: { session: Session; end: End }) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => end(session.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  const browser = browserOf(session.user_agent);
  return (
    <tr>
      <td className="strong" title={session.user_agent}>
        {browser} {session.is_current && <Chip tone="ok">this one</Chip>}
      </td>
      <td>{session.source_ip || <span className="faint">unknown</span>}</td>
      <td>
        <Moment at={session.created_at} />
      </td>
      <td>
        <Moment at={session.last_active_at} />
      </td>
      <td className="num">
        {!session.is_current && (
          <Button
            size="xs"
            variant="default"
            loading={ending.isPending}
            onClick={() => ending.mutate()}
            aria-label={`End ${browser} at ${session.source_ip}`}
          >
            End
          </Button>
        )}
        {ending.isError && <ProblemNotice error={ending.error} doing="Ending the session" />}
      </td>
    </tr>
  );
}

/** Sign-ins of browsers that still work. */
export function SessionTable({ sessions, end }: { sessions: readonly Session[]; end: End }) {
  if (sessions.length === 0) return <p className="dim">No session that works.</p>;
  return (
    <div className="scroll">
      <table className="grid">
        <thead>
          <tr>
            <th>Browser</th>
            <th>From</th>
            <th>Signed in</th>
            <th>Last used</th>
            <th>
              <span className="sr-only">End</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} end={end} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
