import { useCallback, useEffect, useRef, useState } from "react";

/** The address follows the text this long after the last key. */
const DELAY_MS = 300;

/**
 * The text of the filter. It applies with each key, and is part of the address once the user pauses.
 * A text that comes with the address, from a saved view or the browser's history, replaces it.
 */
export function useFilterText(inAddress: string, store: (text: string) => void) {
  const [text, setText] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (inAddress !== known) {
    setKnown(inAddress);
    setText(inAddress);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = useCallback(
    (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setKnown(next.trim());
        store(next.trim());
      }, DELAY_MS);
    },
    [store],
  );
  return { text, change };
}
