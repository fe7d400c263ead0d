import { calm } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { isTourStepDone, TOUR_STEPS, tourStepAfter } from "./tour";

const link = { primary_action: null, active_run: null };
const relocate = calm().primary_action;

describe("the tour of the demo", () => {
  it("test_tour__after_the_last_step__ended", () => {
    expect(tourStepAfter("picture")).toBe("failure");
    expect(tourStepAfter("history")).toBe("ended");
  });

  it("test_tour__nothing_done__no_step_is_over", () =>
    expect(TOUR_STEPS.filter((step) => isTourStepDone(step, { pathname: "/lab", link }))).toEqual(
      [],
    ));

  it.each([
    ["relocate", "/links/l/relocate/checks", true],
    ["relocate", "/links/l/relocate/target", false],
    ["relocate", "/plans/p/all", true],
    ["proof", "/plans/p/confirm", false],
    ["proof", "/runs/r", true],
  ] as const)("test_tour__%s_on_%s__over_%s", (step, pathname, isDone) =>
    expect(isTourStepDone(step, { pathname, link })).toBe(isDone),
  );

  it("test_tour__relocate_suggested__the_failure_is_caused", () => {
    const suggested = {
      ...link,
      primary_action: {
        kind: "relocate" as const,
        label: "",
        replaced_node: null,
        url_options: {},
        ...relocate,
      },
    };
    const kind = "relocate" as const;
    const broken = { ...suggested, primary_action: { ...suggested.primary_action, kind } };
    expect(isTourStepDone("failure", { pathname: "/lab", link: broken })).toBe(true);
  });
});
