import { type RefObject, useEffect, useRef, useState } from "react";

interface RowKeysOptions {
  table: RefObject<HTMLElement | null>;
  /** Of each row of the table; null for a heading. */
  keys: readonly (string | null)[];
  scrollTo: (index: number) => void;
  open: (index: number) => void;
  toggle: (key: string) => void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const ENDS: Record<string, "first" | "last"> = { Home: "first", End: "last" };
/** After `g` a letter opens a page; it is no key of the list then. */
const PREFIX_MS = 1200;

/** Whether a key belongs to the list: it came from a row, or from nothing in particular. */
function isForRows(event: KeyboardEvent, table: HTMLElement | null, isMoving: boolean): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const { target } = event;
  if (target === document.body) return isMoving || /^[jkx]$/.test(event.key);
  return (
    target instanceof HTMLElement &&
    target.closest("[data-row]") !== null &&
    (table?.contains(target) ?? false)
  );
}

/** The next row from this place on, headings left out; null at an end. */
function nextRow(keys: readonly (string | null)[], from: number, step: number): number | null {
  for (let index = from + step; index >= 0 && index < keys.length; index += step)
    if (keys[index] !== null) return index;
  return null;
}

/**
 * Arrows or `j` and `k` move between rows, Home and End to the first and the last one, Enter opens,
 * `x` or Space selects. The keys work on a row, and the letters also where nothing has the focus.
 */
export function useRowKeys(options: RowKeysOptions) {
  const [active, setActive] = useState<string | null>(null);
  const latest = useRef({ ...options, active });
  /** The row that is to have the focus and may not be in the document yet. */
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    latest.current = { ...options, active };
    if (wanted.current === null) return;
    const row = options.table.current?.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(wanted.current)}"]`,
    );
    if (row) row.focus({ preventScroll: true });
    if (row || !options.keys.includes(wanted.current)) wanted.current = null;
  });
  useEffect(() => {
    let prefixAt = 0;
    const moveTo = (index: number | null) => {
      const { keys, scrollTo } = latest.current;
      const key = index === null ? null : keys[index];
      if (index === null || !key) return;
      if (key !== latest.current.active) wanted.current = key;
      setActive(key);
      scrollTo(index);
    };
    const onKey = (event: KeyboardEvent) => {
      const { table, keys, open, toggle, active: current } = latest.current;
      if (event.key === "g") prefixAt = Date.now();
      if (Date.now() - prefixAt < PREFIX_MS) return;
      if (!isForRows(event, table.current, wanted.current !== null)) return;
      const at = current === null ? -1 : keys.indexOf(current);
      const step = STEPS[event.key];
      const end = ENDS[event.key];
      if (step) moveTo(nextRow(keys, at, step));
      else if (end) moveTo(end === "first" ? nextRow(keys, -1, 1) : nextRow(keys, keys.length, -1));
      else if (at < 0) return;
      else if (event.key === "Enter") open(at);
      else if ((event.key === "x" || event.key === " ") && current) toggle(current);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const first = options.keys.find((key) => key !== null) ?? null;
  const isThere = active !== null && options.keys.includes(active);
  /** The row that Tab reaches: the one last used, else the first. */
  return { active: isThere ? active : first, setActive };
}
