/** Whether anybody touches the page: pointer, key, wheel or finger. */

/** Untouched for this long, the page asks on its own account, and no longer for a person. */
export const IDLE_AFTER_MS = 60_000;

const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

let touchedAtMs = Date.now();

for (const touch of TOUCHES)
  window.addEventListener(
    touch,
    () => {
      touchedAtMs = Date.now();
    },
    { passive: true, capture: true },
  );

/** Whether the user was inactive for a minute; opening the page counts as activity. */
export function isIdle(nowMs = Date.now()): boolean {
  return nowMs - touchedAtMs >= IDLE_AFTER_MS;
}
