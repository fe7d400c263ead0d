import { deliveries, hooks } from "@mock/seeds/rehearsals";
import { describe, expect, it } from "vitest";
import { deliveryStatus, validateWebhook, webhookDefaults, webhookTrigger } from "./webhook-text";

const [proxy, chat] = hooks();
const [taken, refused] = deliveries("k_1");

describe("texts of a webhook", () => {
  it("test_when__kinds_named__listed", () =>
    expect(webhookTrigger(proxy!)).toBe("before switchover, failover, failback"));
  it("test_when__no_kinds__everything", () => {
    expect(webhookTrigger({ ...proxy!, kinds: [] })).toBe("before every operation");
    expect(webhookTrigger(chat!)).toBe("on every event, severity warning or higher");
  });
  it("test_call__no_response__named_with_its_attempts", () => {
    expect(deliveryStatus(refused!)).toEqual({
      tone: "bad",
      word: "Failed",
      line: "connection refused, 3 attempts",
    });
    expect(deliveryStatus(taken!).line).toBe("HTTP 204, 38 ms");
    expect(deliveryStatus({ ...taken!, state: "pending", status: null, ms: null }).line).toBe(
      "not sent yet",
    );
  });
});

describe("the form of a webhook", () => {
  const whole = { ...webhookDefaults(proxy!), secret: "0123456789abcdef" };
  it("test_draft__whole__nothing_lacks", () => expect(validateWebhook(whole, false)).toBeNull());
  it("test_draft__short_secret__refused_for_both", () => {
    expect(validateWebhook({ ...whole, secret: "short" }, false)).toMatch(/16/);
    expect(validateWebhook({ ...whole, secret: "short" }, true)).toMatch(/16/);
  });
  it("test_draft__no_secret__kept_only_where_there_is_one", () => {
    expect(validateWebhook({ ...whole, secret: "" }, true)).toBeNull();
    expect(validateWebhook({ ...whole, secret: "" }, false)).not.toBeNull();
  });
  it("test_draft__not_a_url__refused", () =>
    expect(validateWebhook({ ...whole, url: "proxy.milan" }, true)).toMatch(/URL/));
});
