import { useSyncExternalStore } from "react";

let isPrinting = false;
const listeners = new Set<() => void>();

function set(now: boolean): void {
  isPrinting = now;
  for (const listener of listeners) listener();
}

window.addEventListener("beforeprint", () => set(true));
window.addEventListener("afterprint", () => set(false));
window.matchMedia("print").addEventListener("change", ({ matches }) => set(matches));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page is being printed: what is folded on the screen is shown on paper. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
