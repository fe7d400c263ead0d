import type { Cluster } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";

type AccountFacts = Cluster["accounts"][number];

/** Where the password of an account is, and when it was last read there. */
export function AccountPassword({ account }: { account: AccountFacts | undefined }) {
  if (!account?.reference) return <>sealed in Hawser</>;
  const { reference, read_at: readAt, read_problem: problem } = account;
  return (
    <>
      <code className="mono">{reference}</code>
      <br />
      {problem ? (
        <strong>{problem}</strong>
      ) : (
        <span className="dim">
          {readAt ? (
            <>
              read <Timestamp at={readAt} />
            </>
          ) : (
            "not read yet"
          )}
        </span>
      )}
    </>
  );
}
