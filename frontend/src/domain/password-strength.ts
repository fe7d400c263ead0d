/** How strong a new password is, as it is typed. The server decides: it also knows what people try first. */

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

export type Strength = "too short" | "weak" | "fair" | "strong" | "too long";

const KINDS: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 100],
];

/** Bits of a random text of this kind; a character that repeats or continues the one before counts for little. */
function bitsOf(password: string): number {
  const kinds = KINDS.reduce((sum, [kind, size]) => (kind.test(password) ? sum + size : sum), 1);
  let counted = 0;
  let before = -9;
  for (const char of password) {
    const code = char.codePointAt(0) ?? 0;
    counted += Math.abs(code - before) <= 1 ? 0.2 : 1;
    before = code;
  }
  const distinct = new Set(password).size / Math.min(counted, 10);
  return counted * Math.log2(kinds) * Math.min(1, distinct);
}

/** The word that is shown beside the field. */
export function strengthOf(password: string): Strength {
  const length = Array.from(password).length;
  if (length < MIN_LENGTH) return "too short";
  if (length > MAX_LENGTH) return "too long";
  const bits = bitsOf(password);
  if (bits < 50) return "weak";
  return bits < 75 ? "fair" : "strong";
}

const HINTS: Record<Strength, string> = {
  "too short": `At least ${MIN_LENGTH} characters.`,
  weak: "Easy to guess. Add words that do not belong together.",
  fair: "Another word makes it strong.",
  strong: "Hard to guess.",
  "too long": `At most ${MAX_LENGTH} characters.`,
};

/** One sentence for the reader: the strength and what to do about it. */
export const strengthText = (password: string): string => {
  const strength = strengthOf(password);
  return `Strength: ${strength}. ${HINTS[strength]}`;
};
