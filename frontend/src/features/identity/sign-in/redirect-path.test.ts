import { describe, expect, it } from "vitest";
import { safeRedirectPath } from "./redirect-path";

describe("safeRedirectPath", () => {
  it.each([
    ["/runs?state=running", "/runs?state=running"],
    ["//evil.example", "/links"],
    ["/\\evil.example", "/links"],
    ["https://evil.example", "/links"],
    [undefined, "/links"],
  ])("test_path__%s__%s", (next, path) => expect(safeRedirectPath(next)).toBe(path));
});
