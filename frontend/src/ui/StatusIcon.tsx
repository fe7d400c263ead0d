export type Tone = "ok" | "info" | "warn" | "bad" | "unknown" | "neutral";

/** One shape per tone, so that status reads without colour: disc, triangle, hexagon, circle, play, dash. */
const SHAPES: Record<Tone, React.ReactNode> = {
  ok: <circle cx="6" cy="6" r="4.6" fill="currentColor" />,
  info: <path d="M3 1.6 10.4 6 3 10.4z" fill="currentColor" />,
  warn: <path d="M6 1 11.4 10.6H.6z" fill="currentColor" />,
  bad: <path d="M3.2 1.1h5.6L11.6 6 8.8 10.9H3.2L.4 6z" fill="currentColor" />,
  unknown: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  neutral: <path d="M2 6h8" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" />,
};

const TICK = (
  <path d="M1.6 6.4 4.7 9.4 10.4 2.8" fill="none" stroke="currentColor" strokeWidth="2" />
);

/** The shape of a tone; a step that is done has a tick instead. */
export function StatusIcon({
  tone,
  tick = false,
  size = 12,
}: {
  tone: Tone;
  tick?: boolean;
  size?: number;
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 12 12"
      aria-hidden="true"
      focusable="false"
      className="mark"
    >
      {tick ? TICK : SHAPES[tone]}
    </svg>
  );
}
