import type { ReactNode } from "react";
import { StatusIcon, type Tone } from "@/ui/StatusIcon";
import css from "./Wall.module.css";

/** A state as a shape and words, in the size of the text around it. */
export const WallState = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`${css.state} ${css[tone]}`}>
    <StatusIcon tone={tone} />
    {children}
  </span>
);
