import { describe, expect, it } from "vitest";
import { criteriaOf, type LookupValues, searchOf, typedError, valuesOf } from "./lookup-search";

const EMPTY: LookupValues = {
  link: "l_1",
  typed: "",
  kind: "",
  cluster: "c_a",
  node: "n_a1",
  since: "",
  until: "",
  server_id: "",
  table: "",
  text: "",
};
/** Without what is absent. */
const address = (more: Partial<LookupValues>) =>
  Object.fromEntries(
    Object.entries(searchOf({ ...EMPTY, ...more }, "utc")).filter(([, value]) => value),
  );

describe("searchOf", () => {
  it("gives an Xid its cluster and a position its node", () => {
    expect(address({ typed: "48,213" })).toEqual({ link: "l_1", xid: "48213", cluster: "c_a" });
    expect(address({ typed: "binlog.000042:1309" })).toEqual({
      link: "l_1",
      file: "binlog.000042",
      position: "1309",
      node: "n_a1",
    });
  });
  it("turns a time into a range and keeps what narrows it", () =>
    expect(address({ typed: "2026-03-04 05:06", table: "shop.orders" })).toEqual({
      link: "l_1",
      since: "2026-03-04T05:06:00.000Z",
      until: "2026-03-04T05:06:59.000Z",
      table: "shop.orders",
    }));
  it("follows the kind that was chosen over the one that the text suggests", () =>
    expect(address({ typed: "21", kind: "server_id" })).toEqual({ link: "l_1", server_id: "21" }));
  it("returns into the form", () => {
    const search = { link: "l_1", server_id: "21", table: "shop.orders" };
    const values = valuesOf(search, "l_1", "utc");
    expect([values.typed, values.kind, values.server_id]).toEqual(["shop.orders", "", "21"]);
    expect(address(values)).toEqual(search);
  });
});

describe("criteriaOf", () => {
  it("asks nothing where only a link or a cluster is named", () => {
    expect(criteriaOf({ link: "l_1", cluster: "c_a" })).toBeUndefined();
    expect(criteriaOf({ xid: "7", cluster: "c_a" })).toEqual({ xid: 7, cluster: "c_a" });
  });
});

describe("typedError", () => {
  it.each([
    [{ typed: "abc", kind: "xid" }, "Enter an Xid, in digits"],
    [{ typed: "ab" }, "Enter at least 3 characters of the statement"],
    [{ typed: "" }, "Enter what you know of the transaction"],
    [{ typed: "", table: "shop.orders" }, null],
    [{ typed: "0-11-57" }, null],
  ] as const)("of %j is %j", (more, message) =>
    expect(typedError({ ...EMPTY, ...more }, "utc")).toBe(message),
  );
});
