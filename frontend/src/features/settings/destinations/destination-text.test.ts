import { destinations } from "@mock/seeds/destinations";
import { describe, expect, it } from "vitest";
import {
  createRequest,
  destinationDefaults,
  destinationTrigger,
  updateRequest,
  validateDestination,
} from "./destination-text";

const [mail, pager] = destinations();

describe("texts of a destination", () => {
  it("test_trigger__kinds_or_none__named", () => {
    expect(destinationTrigger({ kinds: [], min_severity: "warning" })).toBe(
      "every event, severity warning or higher",
    );
    expect(destinationTrigger({ kinds: ["node."], min_severity: "blocker" })).toBe(
      "node.… events, severity blocker or higher",
    );
  });
});

describe("the form of a destination", () => {
  const fresh = { ...destinationDefaults(null), name: "pager", service: "pagerduty" as const };
  it("test_request__pagerduty__its_own_settings_only", () => {
    const whole = { ...fresh, settings: { ...fresh.settings, key: "k".repeat(32) } };
    expect(validateDestination(whole, false)).toBeNull();
    expect(createRequest(whole)).toMatchObject({
      link_id: null,
      settings: { key: "k".repeat(32), region: "us" },
    });
    expect(Object.keys(createRequest(whole).settings)).toEqual(["key", "region"]);
  });
  it("test_request__change_without_new_secret__stored_one_stays", () => {
    expect(validateDestination(destinationDefaults(pager!), true)).toBeNull();
    expect(updateRequest(destinationDefaults(pager!)).settings).toEqual({ region: "eu" });
    expect(updateRequest(destinationDefaults(mail!)).settings).not.toHaveProperty("password");
  });
  it("test_request__user_removed__password_removed", () => {
    const draft = destinationDefaults(mail!);
    const changed = { ...draft, settings: { ...draft.settings, user: "" } };
    expect(updateRequest(changed).settings).toMatchObject({ user: "", password: "" });
  });
  it("test_draft__something_lacks__named", () => {
    expect(validateDestination({ ...fresh, name: " " }, false)).toMatch(/name/);
    expect(validateDestination(fresh, false)).toMatch(/key/);
    expect(validateDestination({ ...fresh, service: "slack" }, false)).toMatch(/URL/);
    const draft = destinationDefaults(mail!);
    for (const [changes, said] of [
      [{ host: "" }, /mail server/],
      [{ sender: "" }, /sender/],
      [{ recipients: [] }, /recipient/],
      [{ security: "none" }, /clear text/],
    ] as const)
      expect(
        validateDestination(
          { ...draft, settings: { ...draft.settings, ...changes } } as typeof draft,
          true,
        ),
      ).toMatch(said);
  });
});
