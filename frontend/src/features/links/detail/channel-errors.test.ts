import { channelError } from "@mock/seeds/channel-error";
import { broken, calm, stoppedOnRow } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { sessionsOf, stoppedOnRows, versionsOf } from "./channel-errors";

describe("the row that a channel stopped on", () => {
  it("test_directions__stopped_on_1062__that_one", () =>
    expect(stoppedOnRows(stoppedOnRow().findings)).toEqual(["forward"]));
  it("test_directions__other_causes__none", () => {
    expect(stoppedOnRows(broken(5).findings)).toEqual([]);
    expect(stoppedOnRows(calm().findings)).toEqual([]);
  });
  it("test_versions__duplicate_key__each_side_named", () => {
    const versions = versionsOf(channelError());
    expect(versions.map((one) => one.head)).toEqual(["After the insert", "db-a1 now", "db-b1 now"]);
    expect(versions.map((one) => one.image?.amount)).toEqual(["25.00", "25.00", "20.00"]);
  });
  it("test_versions__row_missing__shown_for_the_replica", () => {
    const error = channelError();
    if (error.row) error.row.replica = [];
    expect(versionsOf(error).at(-1)).toEqual({ head: "db-b1 now", image: null, absent: "no row" });
  });
  it("test_versions__source_not_read__says_why", () => {
    const error = channelError();
    if (error.row) Object.assign(error.row, { source: null, source_unread: "db-a1: refused" });
    expect(versionsOf(error)[1]?.absent).toBe("db-a1: refused");
  });
  it("test_versions__delete__as_it_was_before", () => {
    const error = channelError();
    if (error.row)
      Object.assign(error.row, { operation: "delete", before: error.row.after, after: null });
    expect(versionsOf(error)[0]?.head).toBe("Before the delete");
  });
  it("test_versions__nothing_found__none", () =>
    expect(versionsOf({ ...channelError(), row: null })).toEqual([]));
  it("test_sessions__two_nodes__one_after_the_other", () =>
    expect(
      sessionsOf([
        { node: "b2", sql: "one" },
        { node: "b2", sql: "two" },
        { node: "a1", sql: "three" },
      ]),
    ).toEqual([
      { node: "b2", sql: ["one", "two"] },
      { node: "a1", sql: ["three"] },
    ]));
});
