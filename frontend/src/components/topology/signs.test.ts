import { LAB_STATES } from "@mock/seeds/lab-states";
import { judgedSettings, unaccounted } from "@mock/seeds/unsound-links";
import { describe, expect, it } from "vitest";
import { textWidth } from "@/lib/text-width";
import { DETAIL_SIZE, layoutInput, type Sign, signsOf, TEXT_WIDTH } from "./signs";

const heads = (state: keyof typeof LAB_STATES, stale = false) =>
  signsOf(LAB_STATES[state](), null, stale).map(({ head, details }) =>
    [head, ...details].join(" | "),
  );

describe("signsOf", () => {
  it("test_signs__healthy__both_directions_in_sync", () =>
    expect(heads("healthy")).toEqual([
      "forward · running | in sync",
      "reverse · running | in sync",
    ]));
  it.each([
    ["unaccounted", unaccounted(new Set()), ["may lack rows", "in sync"]],
    ["judged settings", judgedSettings(), ["may lack rows", "in sync"]],
  ])("test_signs__%s__the_word_of_the_link_where_rows_may_be_missing", (_, link, words) =>
    expect(signsOf(link, null, false).map(({ details }) => details[0])).toEqual(words),
  );
  it("test_signs__a_direction_without_channel__said", () => {
    expect(heads("forward-only")).toContain("no reverse channel");
    expect(heads("no-channel")).toEqual(["no forward channel", "no reverse channel"]);
  });
  it("test_signs__stray__whether_it_applies_is_read_from_its_threads", () =>
    expect(heads("strays").filter((head) => head.startsWith("stray"))).toEqual([
      "stray forward · running | gap unknown",
      "stray forward · stopped | gap unknown",
      "stray reverse · unknown | gap unknown",
      "stray reverse · running | gap unknown",
    ]));
  it("test_signs__lag_or_gap_unknown__never_as_none", () => {
    expect(heads("lag-unknown")[0]).toBe("forward · running | 214 behind | lag unknown");
    expect(heads("gap-unknown")[0]).toBe("forward · running | gap unknown · 3 s");
  });
  it("test_signs__no_answer__nothing_is_told_as_current", () => {
    const signs = signsOf(LAB_STATES.healthy(), null, true);
    expect(signs.every(({ tone }) => tone === "unknown")).toBe(true);
    expect(heads("healthy", true)[0]).toBe("forward · unknown | in sync | last known state");
  });
  it("test_signs__every_state_of_the_lab__details_fit_their_sign_or_stand_alone", () => {
    const fits = ({ details }: Sign) =>
      details.every((line) => !line.includes(" · ") || textWidth(line, DETAIL_SIZE) <= TEXT_WIDTH);
    for (const make of Object.values<() => Parameters<typeof signsOf>[0]>(LAB_STATES)) {
      const signs = signsOf(make(), null, false);
      expect(signs.every(fits)).toBe(true);
      expect(signs.map(layoutInput).every(({ lines }) => lines <= 4)).toBe(true);
      expect(new Set(signs.map(({ key }) => key)).size).toBe(signs.length);
    }
  });
});
