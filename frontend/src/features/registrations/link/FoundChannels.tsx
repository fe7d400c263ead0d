import type { Registration } from "@/api/types";
import { Callout } from "@/ui/Callout";
import type { Tone } from "@/ui/StatusIcon";

type Found = Registration["link"]["found"];

const TONES: Record<Found["state"], Tone> = {
  linked: "ok",
  one_way: "warn",
  not_linked: "warn",
  several: "warn",
  unknown: "warn",
};

/** What to do where a direction has no channel. */
const MISSING =
  "Hawser does not set channels up in this guide. Set them up yourself, then check both clusters again; or register now: the link shows what is missing, and the set-up of its channels is offered there.";

/** The channels between both clusters, or that there are none. */
export function FoundChannels({ found }: { found: Found }) {
  const isMissing = found.state === "not_linked" || found.state === "one_way";
  const sentences = [...found.channels, ...found.foreign].map(({ sentence }) => sentence);
  const isFine = found.state === "linked" && found.channel_name !== null;
  return (
    <Callout
      tone={isFine ? "ok" : TONES[found.state === "linked" ? "several" : found.state]}
      title={found.sentence}
      description={
        <>
          {sentences.length > 0 && (
            <ul>
              {sentences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
          {isMissing && <p>{MISSING}</p>}
        </>
      }
    />
  );
}
