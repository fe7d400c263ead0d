/** Waits of the browser tests: HAWSER_PATIENCE multiplies each, as in tests/support/waiting.py. */
export const patient = (milliseconds: number): number =>
  milliseconds * Number(process.env.HAWSER_PATIENCE ?? 1);
