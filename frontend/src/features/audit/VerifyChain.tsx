import { Button } from "@mantine/core";
import type { AuditWalk } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { progressOf, useChainWalk } from "./use-chain-walk";

function Result({ walk }: { walk: AuditWalk }) {
  return (
    <Callout
      live
      tone={walk.ok ? "ok" : "bad"}
      title={
        walk.ok
          ? `Verified all ${pluralize(walk.verified, "record")}: the chain is intact.`
          : `The chain is broken at record ${formatNumber(walk.first_bad_seq)}.`
      }
      description={
        <>
          {walk.detail && <>{walk.detail} </>}
          {walk.verified > 0 && (
            <>
              Valid from record 1 (<Timestamp at={walk.first_at} />) to record{" "}
              {formatNumber(walk.verified)} (<Timestamp at={walk.last_at} />
              ).{" "}
            </>
          )}
          Verified <Timestamp at={walk.checked_at} />. The result is in the audit log.
        </>
      }
    />
  );
}

/** Verifies the chain from its first record while the user watches. */
export function VerifyChain() {
  const { walk, isWalking, error, start } = useChainWalk();
  return (
    <div className="stack no-print">
      <div className="row">
        <Button size="xs" variant="default" loading={isWalking} onClick={start}>
          Verify the chain
        </Button>
        <span className="dim">Reads every record from the first one and computes its hash.</span>
      </div>
      {isWalking && walk && (
        <div>
          <progress value={progressOf(walk)} max={100} aria-label="Records verified" />
          <p className="dim" role="status">
            Verified {formatNumber(walk.verified)} of {pluralize(walk.records, "record")}.
          </p>
        </div>
      )}
      {error !== null && <ProblemAlert error={error} action="verify the audit log" retry={start} />}
      {!isWalking && walk?.is_finished && <Result walk={walk} />}
    </div>
  );
}
