import { useEffect, useState } from "react";

const RELOADED_AT = "hawser.reloaded-at";
const AT_MOST_EVERY_MS = 60_000;
const FAILED_LOAD =
  /^Unable to preload CSS|dynamically imported module|^Importing a module script failed/;

/**
 * Reload the page where its code could not be loaded: an upgrade replaced it, or the browser's
 * network changed meanwhile. What failed once is not asked for again without a reload. Returns
 * whether it is about to, which is once a minute at most, and only while the console answers.
 */
export function useReload(error: unknown): boolean {
  const isFailed = error instanceof Error && FAILED_LOAD.test(error.message);
  const [isGivenUp, setGivenUp] = useState(false);
  useEffect(() => {
    if (!isFailed) return;
    const giveUp = () => setGivenUp(true);
    if (takesTurn())
      fetch(window.location.href, { cache: "no-store" }).then(
        (answer) => (answer.ok ? window.location.reload() : giveUp()),
        giveUp,
      );
    else giveUp();
  }, [isFailed]);
  return isFailed && !isGivenUp;
}

/** Whether the last reload was long ago; without storage that is unknown, so there is none. */
function takesTurn(): boolean {
  try {
    const before = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - before < AT_MOST_EVERY_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
