import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { WorkflowStep } from "@/domain/workflow";

/** The part of the window in which the section that is being read has its top or goes through. */
const READING_LINE = "-35% 0px -60% 0px";

/** The section that is being read. */
export function useSectionInView(shown: readonly WorkflowStep[]): WorkflowStep | undefined {
  const [inView, setInView] = useState<WorkflowStep | undefined>(shown[0]);
  const key = shown.join(" ");
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.find(({ isIntersecting }) => isIntersecting);
        const step = entry?.target.getAttribute("data-step") as WorkflowStep | undefined;
        if (step) setInView(step);
      },
      { rootMargin: READING_LINE },
    );
    for (const id of key.split(" ")) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [key]);
  return inView;
}

/** Sections above may still load and push it away: it is kept in place for this long, or until the user acts. */
const SETTLE_MS = 5000;
const ACTS = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/** Keeps a section at the top of the window while the page grows. Returns what ends it. */
function keepInPlace(section: HTMLElement): () => void {
  const observer = new ResizeObserver(() => section.scrollIntoView());
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const act of ACTS) window.removeEventListener(act, stop);
  };
  const timer = setTimeout(() => stop(), SETTLE_MS);
  observer.observe(document.body);
  for (const act of ACTS) window.addEventListener(act, stop, { passive: true });
  return stop;
}

/** Shows the section that the address names and moves the focus to its heading, also where it appears only later. Returns its step. */
export function useFocusedSection(shown: readonly WorkflowStep[]): WorkflowStep | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const named = shown.find((step) => step === hash);
  useEffect(() => {
    const section = named ? document.getElementById(named) : null;
    if (!section) return undefined;
    section.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    section.scrollIntoView();
    return keepInPlace(section);
  }, [named]);
  return named;
}
