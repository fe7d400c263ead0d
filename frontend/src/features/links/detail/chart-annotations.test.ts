import { describe, expect, it } from "vitest";
import { annotationTone, groupAnnotations } from "./chart-annotations";

const mark = (second: number, kind: string, label: string) => ({
  at: new Date(second * 1000).toISOString(),
  kind,
  label,
});

describe("groupMarks", () => {
  it("test_marks__near_each_other__gravest_speaks_rest_counted", () => {
    const groups = groupAnnotations(
      [
        mark(10, "run.started", "olaf started"),
        mark(8, "node.lost", "db-a1 is down"),
        mark(90, "probe.ok", "probe ok"),
      ],
      5,
    );
    expect(groups.map((g) => g.label)).toEqual(["db-a1 is down +1", "probe ok"]);
    expect(groups[0]!.tone).toBe("bad");
  });
  it("test_marks__long_label__shortened", () => {
    expect(
      groupAnnotations(
        [mark(1, "node.lost", "db-a1 is down: connection refused: no server is listening.")],
        5,
      )[0]!.label.length,
    ).toBeLessThanOrEqual(34);
  });
  it("test_tone__unknown_kind__warns_rather_than_reassures", () =>
    expect(annotationTone(mark(1, "haunted", ""))).toBe("warn"));
});
