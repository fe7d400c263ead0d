import { describe, expect, it } from "vitest";
import { fitText, textWidth } from "./text-width";

describe("fitText", () => {
  it("test_fit_text__fits__unchanged", () => expect(fitText("db-a1", 100, 20)).toBe("db-a1"));
  it("test_fit_text__too_long__keeps_beginning_and_end", () => {
    const name = `database-${"x".repeat(50)}-1`;
    const shown = fitText(name, 200, 20);
    expect(shown).toMatch(/^data.*….*-1$/);
    expect(textWidth(shown, 20)).toBeLessThanOrEqual(200);
  });
  it("test_fit_text__no_room__an_ellipsis", () => expect(fitText("wwww", 5, 20)).toBe("…"));
});
