import { describe, expect, it } from "vitest";
import { spanText } from "./rates";

describe("spanText", () => {
  it("names a unit once where both bounds have it", () => {
    expect(spanText({ low: 22_730, high: 24_166 })).toBe("22 to 24 kB/s");
    expect(spanText({ low: 1_000, high: 2_000 })).toBe("1000 B to 2.0 kB/s");
  });

  it("says that a relay may carry all or nothing", () => {
    expect(spanText({ low: 0, high: 24_166 })).toBe("up to 24 kB/s");
    expect(spanText({ low: 0, high: 0 })).toBe("0");
  });
});
