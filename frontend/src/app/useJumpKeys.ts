import { useEffect } from "react";
import { useGo } from "@/components/Go";
import { NAVIGATION } from "./navigation";

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `g` then a room's letter goes there. Keys only move; none of them acts. */
export function useJumpKeys(): void {
  const go = useGo();
  useEffect(() => {
    let armedAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "g") {
        armedAt = Date.now();
        return;
      }
      const item = NAVIGATION.find((entry) => entry.key === event.key);
      if (item && Date.now() - armedAt < 1200) go(item.to);
      armedAt = 0;
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [go]);
}
