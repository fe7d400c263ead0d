import css from "./MeasuredPlot.module.css";
import { knownOf, type Point, type Scale } from "./plot-scale";

const [WIDTH, HEIGHT] = [560, 280];
const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 12, 12, HEIGHT - 40];

interface Line {
  points: readonly Point[];
  isDashed?: boolean;
}

interface Marks {
  shape: "disc" | "square" | "hollow";
  points: readonly Point[];
}

interface MeasuredPlotProps {
  label: string;
  /** What the lines and the marks are. */
  caption: string;
  x: Scale & { title: string };
  y: Scale & { unit?: string };
  lines: readonly Line[];
  marks?: readonly Marks[];
  /** Ranges: where, from, to. */
  bars?: readonly (readonly [x: number, low: number, high: number])[];
}

function Mark({ shape, x, y }: { shape: Marks["shape"]; x: number; y: number }) {
  if (shape === "disc") return <circle className={css.mark} cx={x} cy={y} r={4} />;
  const look = shape === "hollow" ? css.hollow : css.mark;
  return <rect className={look} x={x - 3.5} y={y - 3.5} width={7} height={7} />;
}

/** What was measured beside what is computed; the table with it holds the same figures. */
export function MeasuredPlot(props: MeasuredPlotProps) {
  const { label, caption, x, y, lines, marks = [], bars = [] } = props;
  const xAt = (value: number) => LEFT + x.at(value) * (RIGHT - LEFT);
  const yAt = (value: number) => BOTTOM - y.at(value) * (BOTTOM - TOP);
  const path = (points: readonly Point[]) =>
    knownOf(points)
      .map(([a, b], at) => `${at ? "L" : "M"}${xAt(a).toFixed(1)} ${yAt(b).toFixed(1)}`)
      .join("");
  return (
    <figure>
      <svg className={css.plot} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {y.ticks.map((tick) => (
          <g key={tick}>
            <line className={css.grid} x1={LEFT} x2={RIGHT} y1={yAt(tick)} y2={yAt(tick)} />
            <text x={LEFT - 6} y={yAt(tick) + 4} textAnchor="end">
              {Number(tick.toPrecision(1))}
              {y.unit}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} x={xAt(tick)} y={BOTTOM + 16} textAnchor="middle">
            {tick}
          </text>
        ))}
        <text x={(LEFT + RIGHT) / 2} y={HEIGHT - 6} textAnchor="middle">
          {x.title}
        </text>
        {lines.map(({ points, isDashed }) => (
          <path
            key={String(isDashed)}
            className={isDashed ? css.dashed : css.line}
            d={path(points)}
          />
        ))}
        {marks.flatMap(({ shape, points }) =>
          knownOf(points).map(([a, b]) => (
            <Mark key={`${shape} ${a}`} shape={shape} x={xAt(a)} y={yAt(b)} />
          )),
        )}
        {bars.map(([at, low, high]) => (
          <line
            key={at}
            className={css.bar}
            x1={xAt(at) + 9}
            x2={xAt(at) + 9}
            y1={yAt(low)}
            y2={yAt(high)}
          />
        ))}
      </svg>
      <figcaption className="dim">{caption}</figcaption>
    </figure>
  );
}
