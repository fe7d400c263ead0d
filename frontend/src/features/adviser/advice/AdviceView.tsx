import type { AdviceList } from "@/api/types";
import { ReadAt, UnreadNodes } from "@/components/UnreadNodes";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { AdvicePanel } from "./AdvicePanel";
import { DismissedTable, isDismissed } from "./DismissedTable";

/** Why there is no open advice, which is not the same where nothing was read. */
function NothingOpen({ list }: { list: AdviceList }) {
  const read = list.nodes.filter(({ read_at: readAt }) => readAt !== null).length;
  const text =
    read === 0
      ? "No node was read, so whether there is advice is unknown."
      : `No advice is open on what was read of ${pluralize(read, "node")}.`;
  return (
    <Panel title={read === 0 ? "Unknown" : "No open advice"}>
      <p className="dim">{text}</p>
    </Panel>
  );
}

/** Open advice by risk, then dismissed advice. */
export function AdviceView({ list }: { list: AdviceList }) {
  const open = list.items.filter((advice) => !isDismissed(advice));
  return (
    <div className="stack">
      <ReadAt nodes={list.nodes} />
      <UnreadNodes nodes={list.nodes} consequence="Advice on these nodes may be missing." />
      {open.length === 0 && <NothingOpen list={list} />}
      {open.map((advice) => (
        <AdvicePanel key={`${advice.code} ${advice.fingerprint}`} advice={advice} />
      ))}
      <DismissedTable items={list.items.filter(isDismissed)} />
    </div>
  );
}
