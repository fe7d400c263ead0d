/** Runs a task for each item, a few at once; no further one is started once `signal` is aborted. */
export async function runLimited<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (signal.aborted) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}
