import type { LagCurve } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";

const KEEP = 30;

/** The curve's values as a table, for reading aloud and for copying: the latest samples. */
export function LagTable({ curve }: { curve: LagCurve }) {
  const step = Math.max(1, Math.floor(curve.points.length / KEEP));
  const rows = curve.points
    .filter((_, index) => (curve.points.length - 1 - index) % step === 0)
    .reverse();
  return (
    <div className="scroll">
      <table className="grid">
        <thead>
          <tr>
            <th>At</th>
            <th className="num">Forward behind</th>
            <th className="num">Forward seconds</th>
            <th className="num">Reverse behind</th>
            <th className="num">Reverse seconds</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.at}>
              <td>
                <Timestamp at={point.at} />
              </td>
              <td className="num">{formatNumber(point.forward_gap)}</td>
              <td className="num">{formatNumber(point.forward_lag_s)}</td>
              <td className="num">{formatNumber(point.reverse_gap)}</td>
              <td className="num">{formatNumber(point.reverse_lag_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
