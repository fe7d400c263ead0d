import { describe, expect, it } from "vitest";
import { problemFrom } from "@/api/problem";
import { refusalOf } from "./sign-in-refusal";

describe("refusalOf", () => {
  it("test_refusal__wrong_password__shown_at_the_password", () =>
    expect(refusalOf(problemFrom(401, { code: "wrong_credentials" }, null))).toMatchObject({
      ofPassword: true,
    }));
  it.each([
    [429, "too_many_attempts", "Too many failed sign-ins from this address.", "840", 840],
    [
      503,
      "sign_in_busy",
      "Too many passwords are being checked at once. Retry in a few seconds.",
      "2",
      2,
    ],
    [503, "sign_in_busy", "Too many sign in at once.", null, null],
    [503, "sign_in_busy", "Too many.", "Wed, 25 Nov 2026 12:00:00 GMT", null],
  ])("test_refusal__%d_%s__text_of_the_server", (status, code, detail, header, retry) =>
    expect(refusalOf(problemFrom(status, { code, detail }, null, header))).toEqual({
      text: detail,
      ofPassword: false,
      retryAfterS: retry,
    }),
  );
  it("test_refusal__no_problem__its_message", () =>
    expect(refusalOf(new Error("broken")).text).toBe("broken"));
});
