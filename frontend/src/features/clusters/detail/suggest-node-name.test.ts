import { describe, expect, it } from "vitest";
import { suggestNodeName } from "./suggest-node-name";

describe("the suggested name of a member", () => {
  it.each([
    ["db-a4.milan.example", ["db-a1"], "db-a4"],
    ["127.0.1.4", ["db-a1", "db-a3"], "db-a4"],
    ["2001:db8::4", ["db-a1", "db-a2"], "db-a3"],
    ["db-a1.other.example", ["db-a1", "db-a2"], "db-a3"],
    ["10.0.0.9", ["alpha", "beta"], "milan-3"],
    ["10.0.0.9", [], "milan-1"],
  ])("test_suggest__%s_beside_%j__%s", (host, names, suggested) =>
    expect(suggestNodeName(host, names, "milan")).toBe(suggested),
  );
});
