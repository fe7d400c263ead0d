import type { TimelineEntry } from "@/api/types";
import { type Status, statusFor } from "@/domain/status";

/** The kind of an entry with the tone of its outcome; the word names the kind, so that a list can be read by kinds. */
export function entryStatus({ kind, state }: Pick<TimelineEntry, "kind" | "state">): Status {
  switch (kind) {
    case "run": {
      const { tone, word } = statusFor("run", state);
      return { tone, word: `run: ${word.toLowerCase()}` };
    }
    case "rehearsal":
      return { tone: state === "passed" ? "ok" : "bad", word: `rehearsal: ${state}` };
    case "event":
      return { tone: statusFor("severity", state).tone, word: "event" };
    case "setting":
      return { tone: "neutral", word: "setting" };
  }
}
