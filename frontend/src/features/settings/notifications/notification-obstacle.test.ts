import { describe, expect, it } from "vitest";
import { pushObstacle } from "./notification-obstacle";

describe("what keeps a browser from Web Push", () => {
  it.each([
    ["insecure", "key", /needs https/],
    ["unsupported", null, /does not support/],
    ["supported", null, /not configured/],
  ] as const)("test_obstacle__%s_with_key_%j__named", (support, key, title) =>
    expect(pushObstacle(support, key)?.title).toMatch(title),
  );
  it("test_obstacle__supported_and_configured__none", () =>
    expect(pushObstacle("supported", "key")).toBeNull());
});
