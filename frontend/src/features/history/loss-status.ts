import type { Switch } from "@/api/types";
import type { Status } from "@/domain/status";
import { pluralize } from "@/lib/format/number";

/** The loss in a word: only a verified zero is green, and an unknown loss is unknown. */
export function lossStatus({ state, transactions, orphaned }: Switch["loss"]): Status {
  switch (state) {
    case "none_verified":
      return { tone: "ok", word: "none, verified" };
    case "not_started":
      return { tone: "neutral", word: "none: not started" };
    case "counted":
      return transactions
        ? { tone: "bad", word: `at least ${pluralize(transactions, "transaction")}` }
        : { tone: "warn", word: "none known" };
    case "orphaned":
      return transactions
        ? { tone: "bad", word: `${pluralize(transactions, "transaction")}, orphaned` }
        : { tone: "ok", word: "none, counted" };
    case "settled":
      if (transactions === null) return { tone: "unknown", word: "unknown" };
      return transactions > 0
        ? { tone: "bad", word: pluralize(transactions, "transaction") }
        : { tone: "ok", word: orphaned ? "none, all replayed" : "none, counted" };
    case "stated":
      return { tone: "warn", word: "only stated" };
    case "unknown":
      return { tone: "unknown", word: "unknown" };
  }
}
