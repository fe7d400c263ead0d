import { describe, expect, it } from "vitest";
import { type NodeInput, nodeStatus } from "./node-status";

const NOW = Date.parse("2026-11-21T02:14:07Z");
const up: NodeInput = {
  reach: "up",
  age_s: 0.5,
  since: "2026-11-20T00:00:00Z",
  read_only: true,
  wsrep: { state: "Synced", cluster_status: "Primary", recv_queue: 0 },
  binlog: { file: "mariadb-bin.000211" },
};

describe("nodeStatus", () => {
  it("test_node__synced_and_fresh__ok", () => {
    expect(nodeStatus(up, 0.5, NOW)).toEqual({
      tone: "ok",
      word: "Synced",
      line: "Synced · read_only · binlog 000211",
    });
  });
  it("test_node__up_but_old_facts__unknown_not_ok", () => {
    expect(nodeStatus(up, 5.1, NOW)).toMatchObject({
      tone: "unknown",
      line: "last update 5.1 s ago",
    });
  });
  it("test_node__never_read__unknown", () =>
    expect(nodeStatus({ ...up, reach: "unknown" }, null, NOW)).toMatchObject({
      tone: "unknown",
      line: "no data yet",
    }));
  it("test_node__up_without_galera_facts__unknown_not_ok", () =>
    expect(nodeStatus({ ...up, wsrep: null }, 0.5, NOW).tone).toBe("unknown"));
  it("test_node__donor__warns", () => {
    expect(
      nodeStatus(
        { ...up, wsrep: { state: "Donor/Desynced", cluster_status: "Primary" } },
        0.5,
        NOW,
      ),
    ).toMatchObject({ tone: "warn", word: "Donor/Desynced" });
  });
  it("test_node__outside_the_primary_component__bad", () => {
    expect(
      nodeStatus({ ...up, wsrep: { state: "Synced", cluster_status: "non-Primary" } }, 0.5, NOW)
        .tone,
    ).toBe("bad");
  });
  it("test_node__refusing__since_when", () => {
    expect(
      nodeStatus({ ...up, reach: "refused", since: "2026-11-21T02:13:53Z" }, 14, NOW).line,
    ).toBe("unreachable 14 s · login refused");
  });
  it("test_node__hung__not_responding", () =>
    expect(nodeStatus({ ...up, reach: "hung" }, 3, NOW)).toMatchObject({
      tone: "bad",
      word: "not responding",
    }));
});
