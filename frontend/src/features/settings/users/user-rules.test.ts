import { describe, expect, it } from "vitest";
import type { User } from "@/api/types";
import { countsFrom, hostAccounts, sideEffect } from "./user-rules";

const T0 = Date.parse("2026-11-25T12:00:00Z");
const user = (over: Partial<User> = {}): User => ({
  username: "eve",
  role: "approver",
  is_active: true,
  created_at: "2026-11-25T11:00:00Z",
  last_login: null,
  second_person_from: "2026-11-26T11:00:00Z",
  os_users: [],
  provider: null,
  password_set_by: "",
  is_service: false,
  ...over,
});

describe("users", () => {
  it("test_host_accounts__commas_blanks_and_twice__each_once", () =>
    expect(hostAccounts(" root, deploy root ,")).toEqual(["root", "deploy"]));
  it("test_host_accounts__nothing__none", () => expect(hostAccounts(" ")).toEqual([]));
  it("test_counts_later__to_come__that_moment", () =>
    expect(countsFrom(user(), T0)).toBe("2026-11-26T11:00:00Z"));
  it.each([
    ["it has come", { second_person_from: "2026-11-25T11:00:00Z" }],
    ["the role approves nothing", { role: "operator" as const }],
    ["the account is disabled", { is_active: false }],
  ])("test_counts_later__%s__null", (_, over) => expect(countsFrom(user(over), T0)).toBeNull());
  it("test_side_effect__access_ended__said", () => {
    expect(sideEffect({ password: "x" })).toContain("sessions");
    expect(sideEffect({ role: "viewer" })).toContain("sessions");
    expect(sideEffect({ is_active: false })).toContain("sessions");
    expect(sideEffect({ is_active: true })).toBe("");
    expect(sideEffect({ os_users: [] })).toBe("");
  });
});
