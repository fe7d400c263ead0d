import type { Bandwidth } from "@/api/types";
import { CodeInText } from "@/components/CodeInText";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";

type Multicast = Bandwidth["multicast"];

const STATES: Record<Multicast["state"], { tone: Tone; word: string; text: string }> = {
  broken: {
    tone: "bad",
    word: "broken",
    text: "With this provider (Galera 26.4) no second node joins by multicast. Do not set `gmcast.mcast_addr`.",
  },
  not_tried: {
    tone: "unknown",
    word: "not tried",
    text: "Multicast was tried with Galera 26.4 only, where it is broken. These nodes have another provider.",
  },
  unknown: {
    tone: "unknown",
    word: "unknown",
    text: "The provider's version was not read of all nodes. With Galera 26.4 multicast is broken.",
  },
};

/** Why multicast does not save what the article of 2013 saved by it. */
export function MulticastPanel({ multicast }: { multicast: Multicast }) {
  const { tone, word, text } = STATES[multicast.state];
  const setOn =
    multicast.set_on.length === 0 ? "" : ` It is set on ${multicast.set_on.join(", ")}.`;
  return (
    <Panel title="Multicast" aside={<StatusChip tone={tone}>{word}</StatusChip>}>
      <div className="stack">
        <p>
          <CodeInText text={`${text}${setOn}`} />
        </p>
        <p className="dim">
          <CodeInText text={multicast.evidence} /> The second node's log, each second: “len 2048
          does not match to bytes transferred72”. In the article multicast kept what a writer sends
          flat (173 to 212 KB/s with two nodes, 164 to 193 with three); that was not reproducible
          here.
        </p>
      </div>
    </Panel>
  );
}
