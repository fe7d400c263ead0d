import type { Tone } from "@/ui/StatusIcon";

const SHAPES: Record<Tone, string> = {
  ok: "M0 -4.6a4.6 4.6 0 1 0 .01 0z",
  info: "M-3 -4.4 4.4 0 -3 4.4z",
  warn: "M0 -5 5.4 4.6H-5.4z",
  bad: "M-2.8 -4.9h5.6L5.6 0 2.8 4.9h-5.6L-5.6 0z",
  unknown: "M0 -4a4 4 0 1 0 .01 0z",
  neutral: "M-4 -1h8v2h-8z",
};

/** The shape of a tone at a point of the picture. */
export const ToneShape = ({ tone, x, y }: { tone: Tone; x: number; y: number }) => (
  <path
    d={SHAPES[tone]}
    transform={`translate(${x} ${y}) scale(1.6)`}
    fill={tone === "unknown" ? "none" : "currentColor"}
    stroke={tone === "unknown" ? "currentColor" : "none"}
    strokeWidth={1.7}
  />
);
