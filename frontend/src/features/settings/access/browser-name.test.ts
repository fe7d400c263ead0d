import { describe, expect, it } from "vitest";
import { browserName } from "./browser-name";

const MOZILLA = "Mozilla/5.0 (X11; Linux x86_64)";

describe("browserOf", () => {
  it.each([
    [`${MOZILLA} Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
    [`${MOZILLA} AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36`, "Chrome on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Safari/604.1",
      "Safari on iOS",
    ],
    ["curl/8.5.0", "curl/8.5.0"],
    ["", "Unknown browser"],
  ])("test_browser__%j__%s", (agent, expected) => expect(browserName(agent)).toBe(expected));
});
