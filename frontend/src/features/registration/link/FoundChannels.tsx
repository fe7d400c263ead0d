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
const MISSING = {
  not_linked:
    "Register now. The last step then offers a plan that creates both channels: where both clusters hold equal data, or where one is a copy of the other.",
  one_way:
    "Have an administrator set up the missing channel, then check both clusters again. Or register now: the link shows what is missing.",
};

/** The channels between both clusters, or that there are none. */
export function FoundChannels({ found }: { found: Found }) {
  const missing =
    found.state === "not_linked" || found.state === "one_way" ? MISSING[found.state] : null;
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
          {missing && <p>{missing}</p>}
        </>
      }
    />
  );
}
