// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { apiPath } from "./client";
import { problemFrom, unreachable } from "./problem";

describe("problemFrom", () => {
  it("test_problem__full_document__every_part_kept", () => {
    const problem = problemFrom(
      422,
      {
        code: "confirm",
        title: "Wrong",
        detail: "d",
        request_id: "r1",
        errors: [{ field: "confirm", message: "no" }],
      },
      null,
    );
    expect(problem).toMatchObject({ status: 422, code: "confirm", message: "d", requestId: "r1" });
    expect(problem.field("confirm")).toBe("no");
  });
  it("test_problem__html_body__still_a_sentence", () => {
    expect(problemFrom(502, "<html>", "r2")).toMatchObject({
      code: "http_502",
      title: "The server responded with HTTP 502",
      requestId: "r2",
    });
  });
  it("test_problem__no_answer__names_the_console_not_the_clusters", () =>
    expect(unreachable(new Error("refused")).title).toContain("Hawser is not"));
});

describe("apiPath", () => {
  it("test_path__empty_filters__left_out", () =>
    expect(apiPath("/audit", { link: "l_1", run: undefined, actor: "" })).toBe(
      "/api/v1/audit?link=l_1",
    ));
});
