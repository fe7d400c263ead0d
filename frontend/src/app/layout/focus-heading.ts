import type { AnyRouter } from "@tanstack/react-router";

/** A page whose data has not come by then is left alone. */
const WAIT_LIMIT_MS = 10_000;
const HEADING = "main h1:not([data-loading])";

function focus(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** Focus the heading as soon as it is there; a user who acts before that keeps the focus. Returns what ends the wait. */
function focusWhenShown(): () => void {
  const found = document.querySelector<HTMLElement>(HEADING);
  if (found) {
    focus(found);
    return () => undefined;
  }
  const observer = new MutationObserver(() => {
    const heading = document.querySelector<HTMLElement>(HEADING);
    if (!heading) return;
    stop();
    focus(heading);
  });
  const timer = setTimeout(() => stop(), WAIT_LIMIT_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    window.removeEventListener("keydown", stop);
    window.removeEventListener("pointerdown", stop);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  window.addEventListener("keydown", stop);
  window.addEventListener("pointerdown", stop);
  return stop;
}

/**
 * After each navigation to another page the focus is on that page's h1: a screen reader reads the page's name,
 * and Tab goes on from there. The first page is left to the browser, and an address
 * with a hash to its page: that moves the focus to the section it names. Returns what ends it.
 */
export function focusHeadingOnNavigation(router: AnyRouter): () => void {
  let stopWaiting: () => void = () => undefined;
  const unsubscribe = router.subscribe(
    "onRendered",
    ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || toLocation.hash !== "") return;
      stopWaiting();
      stopWaiting = focusWhenShown();
    },
  );
  return () => {
    stopWaiting();
    unsubscribe();
  };
}
