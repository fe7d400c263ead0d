import type { SVGProps } from "react";
import { fitText } from "@/lib/text-width";

interface FittedTextProps extends SVGProps<SVGTextElement> {
  children: string;
  size: number;
  room: number;
}

/** A text of the picture that is never wider than its room; what is cut is told on hover, and by the text version. */
export function FittedText({ children, size, room, ...rest }: FittedTextProps) {
  const shown = fitText(children, room, size);
  return (
    <text fontSize={size} data-room={room} {...rest}>
      {shown}
      {shown !== children && <title>{children}</title>}
    </text>
  );
}
