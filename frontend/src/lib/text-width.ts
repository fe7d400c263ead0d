/** How wide a text is drawn, without asking the browser: what is laid out before it is drawn must know. */

const WIDTHS: readonly (readonly [characters: RegExp, em: number])[] = [
  [/[ilj.,:;|!'’I ·]/u, 0.3],
  [/[frt()/-]/u, 0.41],
  [/[mw%]/u, 0.9],
  [/[MW@→⇄…]/u, 1],
  [/[A-Z]/u, 0.73],
  [/[0-9]/u, 0.65],
];
const USUAL = 0.61;
/** The console's type is at most weight 700. */
const BOLD = 1.05;

const widthOf = (character: string): number =>
  WIDTHS.find(([characters]) => characters.test(character))?.[1] ??
  (character.charCodeAt(0) > 0x2fff ? 1 : USUAL);

/** At most this wide in the console's type: an estimate, never too small for Latin text. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0) * size * BOLD;

/** The text, or its beginning and its end around an ellipsis: names of nodes differ in their last characters. */
export function fitText(text: string, width: number, size: number): string {
  const characters = [...text];
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
