/** Which rows of a table are selected, by their keys. */
export interface Selection {
  keys: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Selects these keys, or none of them where all of them are selected. */
  toggleAll: (keys: readonly string[]) => void;
}
