/** Reports as the server builds them. */
import type { Report, ReportBlock, ReportDocument } from "@/api/types";
import { now } from "./clusters";

const EMPTY = { text: "", facts: [], items: [], header: [], rows: [], language: "" };
const block = (over: Partial<ReportBlock> & Pick<ReportBlock, "type">): ReportBlock => ({
  ...EMPTY,
  ...over,
});
const section = (heading: string, ...blocks: ReportBlock[]) => ({ heading, depth: 1, blocks });
const text = (value: string) => block({ type: "paragraph", text: value });
const table = (header: string[], ...rows: string[][]) => block({ type: "table", header, rows });
const facts = (...pairs: [string, string][]) =>
  block({ type: "facts", facts: pairs.map(([name, value]) => ({ name, value })) });
const report = (document: ReportDocument): Report => ({
  generated_at: now(),
  facts: {},
  document,
});

export const runReport = () =>
  report({
    title: "Report: Move both channels of payments off db-a1",
    lead: [
      "operator-1, approved by ben, moved the channels of payments. Succeeded after 9.40 s, verified. Nothing lost, verified.",
    ],
    sections: [
      section("The run", facts(["State", "succeeded. Done and verified."], ["Link", "payments"])),
      section(
        "Topology before and after",
        table(
          ["subject", "before", "after", "change"],
          ["forward channel", "db-a1 → db-b1 (running)", "db-a2 → db-b1 (running)", "changed"],
        ),
      ),
      section(
        "Findings",
        block({ type: "list", items: ["warning stray_channel: one was found."] }),
      ),
      section("Steps of the run"),
      {
        heading: "1. Stop the forward channel on db-b1: succeeded",
        depth: 2,
        blocks: [
          text("2026-11-26 03:04:05.000000 UTC to 2026-11-26 03:04:06.000000 UTC. Stopped."),
          block({ type: "code", language: "sql", text: "STOP SLAVE 'link1';" }),
        ],
      },
    ],
  });

export const incidentReport = () =>
  report({
    title: "Incident report: Loss of Zurich",
    lead: ["1 of 1 operation succeeded."],
    sections: [
      section("The incident", facts(["State", "ended"], ["Scope", "Site Zurich lost"])),
      section(
        "Links in their order",
        table(
          ["no.", "link", "operation", "data loss", "result"],
          ["1", "payments", "failover", "12 transactions", "succeeded. Failed over."],
        ),
      ),
    ],
  });

export const certificate = () =>
  report({
    title: "Rehearsal certificate: failover on orders",
    lead: [
      "The rehearsal of a failover on orders passed on 2026-11-26 03:04:05.000000 UTC.",
      "A rehearsal changes nothing on any server.",
    ],
    sections: [
      section("The rehearsal", facts(["Link", "orders"], ["Result", "passed"])),
      section(
        "Checks",
        table(
          ["check", "result", "duration", "details"],
          ["Read both sides, check, locate, plan", "passed", "12 ms", "Fail over to frankfurt."],
        ),
      ),
    ],
  });

export const readinessReport = () =>
  report({
    title: "Readiness report: orders, 2026-07-01 to 2026-10-01",
    lead: ["2 switches of orders, 1 succeeded. 1 exception to the rules."],
    sections: [
      section("Period", facts(["Link", "orders"], ["From", "2026-07-01"], ["To", "2026-10-01"])),
      section(
        "Recovery time achieved",
        text("The recovery time runs from the confirmation of the run to its verified result."),
        table(
          ["operation", "runs", "verified results", "least", "median", "most"],
          ["relocate", "2", "1", "9.40 s", "9.40 s", "9.40 s"],
        ),
      ),
      section(
        "Recovery point achieved",
        facts(["Nothing lost, verified", "1 run"], ["Loss unknown", "1 run"]),
      ),
      section(
        "Rehearsals",
        table(["operation", "passed", "failed", "missed"], ["failover", "88", "1", "3"]),
      ),
      section(
        "Readiness",
        table(
          ["state", "days", "share"],
          ["Ready", "90.10", "97.9 %"],
          ["Not ready", "0.40", "0.4 %"],
          ["Unknown", "1.50", "1.6 %"],
        ),
      ),
      section("Exceptions", text("None was recorded.")),
    ],
  });
