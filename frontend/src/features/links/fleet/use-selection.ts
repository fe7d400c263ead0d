import { useCallback, useMemo, useState } from "react";
import type { LinkRow } from "@/api/types";
import type { Selection } from "@/ui/row-selection";

interface SelectedLinks extends Selection {
  /** The selected ones among all links, filtered out or not. */
  rows: readonly LinkRow[];
  clear: () => void;
}

/** The links that an operator selected. A filter hides a selected link; it stays selected. */
export function useSelection(rows: readonly LinkRow[]): SelectedLinks {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (key: string) =>
      setKeys((now) => {
        const next = new Set(now);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  const toggleAll = useCallback(
    (shown: readonly string[]) =>
      setKeys((now) => {
        const next = new Set(now);
        const isAll = shown.every((key) => now.has(key));
        for (const key of shown) {
          if (isAll) next.delete(key);
          else next.add(key);
        }
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setKeys(new Set()), []);
  const selected = useMemo(() => rows.filter(({ id }) => keys.has(id)), [rows, keys]);
  return { keys, toggle, toggleAll, clear, rows: selected };
}
