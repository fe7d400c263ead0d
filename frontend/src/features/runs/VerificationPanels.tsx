import type { Verification } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

function Answer({ value, yes, no }: { value: boolean | null; yes: string; no: string }) {
  if (value === null) return <StatusChip tone="unknown">not known</StatusChip>;
  return value ? (
    <StatusChip tone="ok">{yes}</StatusChip>
  ) : (
    <StatusChip tone="bad">{no}</StatusChip>
  );
}

export function ProbesPanel({ verification }: { verification: Verification }) {
  return (
    <Panel
      title="Probes"
      aside="a transaction written on each side, seen on every node of the other"
    >
      {verification.not_probed_reason && <p>Not probed: {verification.not_probed_reason}</p>}
      <table className="grid three">
        <tbody>
          {verification.probes.map((probe) => (
            <tr key={probe.direction}>
              <td className="strong">{probe.direction}</td>
              <td>
                <Answer value={probe.complete} yes="arrived" no="not everywhere" />
              </td>
              <td>
                written on {probe.written_on}, seen on{" "}
                {probe.seen_on
                  .map(
                    (seen) =>
                      `${seen.node} (${seen.ms === null ? "not seen" : `${Math.round(seen.ms)} ms`})`,
                  )
                  .join(", ") || "no node"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

export function ContinuityPanel({ verification }: { verification: Verification }) {
  return (
    <Panel
      title="The seam"
      aside="transactions on both sides of the place where the channel resumed, compared"
    >
      <table className="grid three">
        <tbody>
          {verification.continuity.map((seam) => (
            <tr key={`${seam.direction}${seam.node}`}>
              <td className="strong">{seam.direction}</td>
              <td>
                <Answer value={seam.equal} yes="equal" no="differs" />
              </td>
              <td>
                {pluralize(seam.groups_compared, "group")} on {seam.node}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {verification.continuity.length === 0 && <p className="dim">The seam was not compared.</p>}
    </Panel>
  );
}

export function OtherChecksPanel({ verification }: { verification: Verification }) {
  const { stray_channels: seconds, cleanup_pending: pending } = verification;
  return (
    <Panel title="Everything else">
      <table className="grid three">
        <tbody>
          <tr>
            <td className="strong">Options</td>
            <td>
              <Answer value={verification.options_equal} yes="unchanged" no="changed" />
            </td>
            <td>TLS, retry, delay, ignore lists read back and compared</td>
          </tr>
          <tr>
            <td className="strong">Second channels</td>
            <td>
              {seconds.length === 0 ? (
                <StatusChip tone="ok">none</StatusChip>
              ) : (
                <StatusChip tone="bad">{seconds.length} found</StatusChip>
              )}
            </td>
            <td>{seconds.join(", ") || "each direction is carried once"}</td>
          </tr>
          {pending.length > 0 && (
            <tr>
              <td className="strong">Still to clean</td>
              <td>
                <StatusChip tone="warn">{pending.join(", ")}</StatusChip>
              </td>
              <td>
                their old channel is cleaned when they come back; the link's page will offer it
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Panel>
  );
}
