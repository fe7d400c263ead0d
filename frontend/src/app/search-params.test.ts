import { describe, expect, it } from "vitest";
import { linkSearch, lookupSearch, runsSearch, workflowSearch } from "./search-params";

describe("search parameters", () => {
  it("pass when they are well formed", () => {
    expect(runsSearch.parse({ link: "l_1", state: "running" })).toEqual({
      link: "l_1",
      state: "running",
    });
    const time = { from: "2026-11-26T02:00:00Z", to: "2026-11-26T03:00:00Z" };
    expect(linkSearch.parse({ minutes: 60, ...time })).toEqual({ minutes: 60, ...time });
  });

  it("count as absent when they are malformed", () => {
    expect(runsSearch.parse({ link: 7, state: "flying" })).toEqual({});
    expect(workflowSearch.parse({ orphans: "guess", plan: "p_1" })).toEqual({ plan: "p_1" });
    expect(linkSearch.parse({ minutes: "many", from: 7, unit: "miles", view: "x" })).toEqual({});
  });

  it("leave out what the page does not know", () => {
    expect(runsSearch.parse({ link: "l_1", other: "x" })).toEqual({ link: "l_1" });
  });

  it("keep a transaction number that the router read as a number", () => {
    expect(lookupSearch.parse({ xid: 42 })).toEqual({ xid: "42" });
    expect(lookupSearch.parse({})).toEqual({});
  });
});
