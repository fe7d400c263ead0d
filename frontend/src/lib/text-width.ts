/** How wide a text is drawn, without asking the browser: what is laid out before it is drawn must know. */

/** Of Inter at weight 700, the console's heaviest; in em. */
const GROUPS: readonly (readonly [em: number, characters: string])[] = [
  [0.29, " Iijl"],
  [0.34, "!',.:·’"],
  [0.41, "()/;[\\]`frt|"],
  [0.49, "-1^_{}"],
  [0.6, '"*7?FJLaceksvxz'],
  [0.64, "25Ebdghnopquy"],
  [0.68, "#$&+034689<=>BPRSTZ~"],
  [0.75, "ACDHKUVXY"],
  [0.78, "GNOQ"],
  [0.94, "Mmw→⇄"],
  [1.04, "%@W…"],
];
const WIDTHS = new Map(
  GROUPS.flatMap(([em, characters]) => Array.from(characters).map((one) => [one, em] as const)),
);
const WIDEST = 1.04;

/** At most this wide in the console's type: an estimate, not too small in any common sans-serif. */
export const textWidth = (text: string, size: number): number =>
  Array.from(text).reduce((sum, one) => sum + (WIDTHS.get(one) ?? WIDEST), 0) * size;

/** The text, or its beginning and its end around an ellipsis: names of nodes differ in their last characters. */
export function fitText(text: string, width: number, size: number): string {
  const characters = Array.from(text);
  for (let kept = characters.length; kept > 1; kept -= 1) {
    const head = Math.ceil(kept / 2);
    const shown =
      kept === characters.length
        ? text
        : `${characters.slice(0, head).join("")}…${characters.slice(characters.length - (kept - head)).join("")}`;
    if (textWidth(shown, size) <= width) return shown;
  }
  return "…";
}
