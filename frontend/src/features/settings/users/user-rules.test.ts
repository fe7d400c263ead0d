import { describe, expect, it } from "vitest";
import type { User } from "@/api/types";
import { countsFrom, factorCounts, hostAccounts, sideEffect } from "./user-rules";

const T0 = "2026-11-25T12:00:00Z";
const NOW_MS = Date.parse(T0);
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
    expect(countsFrom(user(), NOW_MS)).toBe("2026-11-26T11:00:00Z"));
  it.each([
    ["it has come", { second_person_from: "2026-11-25T11:00:00Z" }],
    ["the role approves nothing", { role: "operator" as const }],
    ["the account is disabled", { is_active: false }],
  ])("test_counts_later__%s__null", (_, over) => expect(countsFrom(user(over), NOW_MS)).toBeNull());
  it("test_factor_counts__by_kind__and_nothing_without_one", () => {
    const none = { app: null, passkeys: [], recovery_codes_left: 0, is_required: false };
    const of = (id: string) => ({
      id,
      name: "Laptop",
      rp_id: "x",
      created_at: T0,
      last_used_at: null,
    });
    const app = { created_at: T0, last_used_at: T0 };
    expect(factorCounts(none)).toBe("");
    expect(factorCounts({ ...none, passkeys: [of("1"), of("2")] })).toBe("2 passkeys");
    expect(factorCounts({ ...none, app, passkeys: [of("1")] })).toBe(
      "1 authenticator app, 1 passkey",
    );
  });
  it("test_side_effect__access_ended__said", () => {
    expect(sideEffect({ password: "x" })).toContain("sessions");
    expect(sideEffect({ password: "x", ends_factors: true })).toContain("second factors");
    expect(sideEffect({ role: "viewer" })).toContain("sessions");
    expect(sideEffect({ is_active: false })).toContain("sessions");
    expect(sideEffect({ is_active: true })).toBe("");
    expect(sideEffect({ os_users: [] })).toBe("");
  });
});
