/** Each reason once, without empty ones. */
export const reasonsOf = (reasons: readonly string[]): readonly string[] => [
  ...new Set(reasons.filter((reason) => reason !== "")),
];
