import { useCallback, useRef, useState } from "react";
import { Problem } from "@/api/problem";
import { useForEachLink } from "@/api/resources/fleet";
import type { LinkRow } from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";

/** How the task went on one link. */
export interface LinkResult {
  link: LinkRow;
  tone: Tone;
  word: string;
  sentence: string;
}

/** What a task says of a link that it succeeded on. */
type Outcome = Omit<LinkResult, "link">;

const WAITING: Outcome = { tone: "neutral", word: "waiting", sentence: "" };
const RUNNING: Outcome = { tone: "info", word: "running", sentence: "" };

const refusedBecause = (error: unknown): Outcome => ({
  tone: "bad",
  word: "refused",
  sentence: error instanceof Problem ? `${error.title}. ${error.message}` : String(error),
});

/**
 * A task on each of several links, a few at once. It goes on after a failure, and keeps the result
 * of each link; stopped, it ends what runs and starts no further one.
 */
export function useBulkTask(atOnce: number) {
  const [results, setResults] = useState<readonly LinkResult[]>([]);
  const { mutateAsync, isPending } = useForEachLink();
  const stopper = useRef<AbortController>(undefined);
  const start = async (links: readonly LinkRow[], task: (link: LinkRow) => Promise<Outcome>) => {
    const tell = (link: LinkRow, outcome: Outcome) =>
      setResults((now) =>
        now.map((each) => (each.link.id === link.id ? { ...each, ...outcome } : each)),
      );
    stopper.current = new AbortController();
    setResults(links.map((link) => ({ link, ...WAITING })));
    await mutateAsync({
      links,
      atOnce,
      signal: stopper.current.signal,
      task: async (link) => {
        tell(link, RUNNING);
        tell(link, await task(link).catch(refusedBecause));
      },
    });
  };
  const stop = useCallback(() => stopper.current?.abort(), []);
  const done = results.filter(({ word }) => word !== "waiting" && word !== "running").length;
  return { results, done, start, stop, isPending };
}
