import type { Orphans } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatPosition } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

const position = (at: Orphans["from"]) => formatPosition(at?.file, at?.position);

/** When the lost side was scanned, and which part of which binary log. */
export function ScanDetails({ orphans }: { orphans: Orphans }) {
  return (
    <Panel title="Scan details">
      <DescriptionList
        items={[
          ["Scanned", <Timestamp key="s" at={orphans.scanned_at} />],
          ["Node", orphans.node],
          ["Start position", <code key="f">{position(orphans.from)}</code>],
          ["End position", <code key="t">{position(orphans.to)}</code>],
          ["Rows", orphans.rows],
          ["First transaction", <Timestamp key="a" at={orphans.first_at} />],
          ["Last transaction", <Timestamp key="b" at={orphans.last_at} />],
        ]}
      />
    </Panel>
  );
}
