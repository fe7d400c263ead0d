import type { LookupSide } from "@/api/types";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import css from "./Lookup.module.css";
import { HELD_TONES, heldWords } from "./locations";

const agreement = (agrees: boolean | null): [Tone, string] => {
  if (agrees === null) return ["unknown", "says nothing"];
  return agrees ? ["ok", "agrees"] : ["warn", "disagrees"];
};
const FAMILY_WORDS: Record<LookupSide["evidence"][number]["family"], string> = {
  content: "Content",
  gtid: "GTID",
  executed: "Channel's position",
  account: "Account of the stream",
};

/** Whether each side holds the transaction, and by which evidence. */
export function Sides({ sides }: { sides: readonly LookupSide[] }) {
  return (
    <ul className={css.sides} aria-label="Sides">
      {sides.map((side) => (
        <li key={side.cluster_id} className={css.side}>
          <div className="row">
            <b>{side.cluster}</b>
            <StatusChip tone={HELD_TONES[side.held]}>{heldWords(side)}</StatusChip>
          </div>
          <p>{side.detail}</p>
          <ul>
            {side.evidence.map(({ family, agrees, detail }) => {
              const [tone, word] = agreement(agrees);
              return (
                <li key={family} className="dim">
                  <StatusChip tone={tone} iconOnly>
                    {word}
                  </StatusChip>{" "}
                  {FAMILY_WORDS[family]}: {detail}
                </li>
              );
            })}
          </ul>
        </li>
      ))}
    </ul>
  );
}
