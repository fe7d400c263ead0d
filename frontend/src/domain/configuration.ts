/** Settings of a cluster's nodes: which of them need a look, and in which words. */
import type { ConfigurationChange, ConfigurationRow } from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";

export const PROFILES = ["one_site", "two_sites"] as const;
export const SHOWN_SETTINGS = ["attention", "all"] as const;

export const LAYOUT_LABELS = {
  one_site: "one site",
  two_sites: "two sites",
  unknown: "unknown",
} as const;

interface SettingStatus {
  tone: Tone;
  word: string;
}

const NOTES: Record<string, SettingStatus> = {
  harmful: { tone: "bad", word: "harmful" },
  ineffective: { tone: "warn", word: "ineffective" },
  removed: { tone: "warn", word: "removed" },
  unsupported: { tone: "warn", word: "unsupported" },
};

/** The status of a setting; null where nothing is to be said of it. */
export function settingStatus(row: ConfigurationRow): SettingStatus | null {
  const note = NOTES[row.note_kind];
  if (note) return note;
  if (row.must_be_equal && row.differs === true) return { tone: "warn", word: "differs" };
  if (row.recommendation) return { tone: "info", word: "change advised" };
  if (row.must_be_equal && row.differs === null) return { tone: "unknown", word: "not all known" };
  if (row.note_kind === "unknown") return { tone: "neutral", word: "not judged" };
  return null;
}

/** Whether the setting is shown where only what needs a look is. */
export function needsAttention(row: ConfigurationRow): boolean {
  const status = settingStatus(row);
  return status !== null && status.tone !== "neutral" && status.tone !== "unknown";
}

/** The statements by node: each node is named above its own. */
export function statementsOf(
  changes: readonly ConfigurationChange[],
  kind: "sql" | "undo",
): string[] {
  const ordered = kind === "undo" ? changes.toReversed() : changes;
  return ordered
    .filter((change) => change[kind] !== "")
    .flatMap((change, at, all) =>
      all[at - 1]?.node === change.node ? [change[kind]] : [`-- on ${change.node}`, change[kind]],
    );
}
