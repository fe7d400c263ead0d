import { useEffect, useRef, useState } from "react";
import { verifyNextRecords } from "@/api/resources/audit";
import type { AuditWalk } from "@/api/types";

/** How much of the log is verified, in percent. */
export const progressOf = ({ verified, records }: Pick<AuditWalk, "verified" | "records">) =>
  records === 0 ? 100 : Math.min(100, (100 * verified) / records);

interface ChainWalk {
  walk: AuditWalk | null;
  isWalking: boolean;
  error: unknown;
  start: () => void;
}

/** A verification of all records, a slice at a time; it stops when its page is left. */
export function useChainWalk(): ChainWalk {
  const [walk, setWalk] = useState<AuditWalk | null>(null);
  const [isWalking, setWalking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function steps(signal: AbortSignal) {
    let next: string | null | undefined;
    do {
      const slice: AuditWalk = await verifyNextRecords(next ?? undefined, signal);
      if (signal.aborted) return;
      setWalk(slice);
      next = slice.next;
    } while (next);
  }

  function start() {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setWalk(null);
    setError(null);
    setWalking(true);
    steps(controller.signal)
      .catch((cause: unknown) => {
        if (!controller.signal.aborted) setError(cause);
      })
      .finally(() => {
        if (!controller.signal.aborted) setWalking(false);
      });
  }

  return { walk, isWalking, error, start };
}
