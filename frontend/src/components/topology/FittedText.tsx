import type { SVGProps } from "react";
import { fitText, textWidth } from "@/lib/text-width";

/** A text is drawn a little smaller before it is cut. */
export const SMALLEST = 0.78;

interface FittedTextProps extends SVGProps<SVGTextElement> {
  children: string;
  size: number;
  room: number;
}

/** A text of the picture that is never wider than its room; what is cut is told on hover, and by the text version. */
export function FittedText({ children, size, room, ...rest }: FittedTextProps) {
  const fitting =
    Math.max(SMALLEST, Math.min(1, (room / textWidth(children, size)) * 0.999)) * size;
  const shown = fitText(children, room, fitting);
  return (
    <text fontSize={fitting} data-room={room} {...rest}>
      {shown}
      {shown !== children && <title>{children}</title>}
    </text>
  );
}
