import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { NAVIGATION } from "@/app/navigation";

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `g` then a room's letter goes there. Keys only move; none of them acts. */
export function useNavigationHotkeys(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let armedAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "g") {
        armedAt = Date.now();
        return;
      }
      const item = NAVIGATION.find((entry) => entry.key === event.key);
      if (item && Date.now() - armedAt < 1200) void navigate({ to: item.to });
      armedAt = 0;
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate]);
}
