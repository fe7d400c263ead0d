import { incident, incidentItem } from "@mock/seeds/incidents";
import { calm } from "@mock/seeds/links";
import { siteLost } from "@mock/seeds/site-links";
import { describe, expect, it } from "vitest";
import { incidentStatus, itemsToStart, linksAtSite, lostSite, movedOrder } from "./incidents";

const three = incident({
  items: [
    incidentItem("a"),
    incidentItem("b"),
    incidentItem("c", { state: "refused" }),
    incidentItem("d", { state: "left_out" }),
  ],
});

describe("the order of an incident", () => {
  it("test_moved__within_the_list__two_change_places", () =>
    expect(movedOrder(three, "l_b", -1)).toEqual(["l_b", "l_a", "l_c"]));
  it("test_moved__beyond_an_end_or_left_out__nothing_to_do", () => {
    expect(movedOrder(three, "l_a", -1)).toBeNull();
    expect(movedOrder(three, "l_c", 1)).toBeNull();
    expect(movedOrder(three, "l_d", 1)).toBeNull();
  });
  it("test_to_start__only_what_is_ready", () =>
    expect(itemsToStart(three).map((item) => item.link_name)).toEqual(["a", "b"]));
});

describe("the status of an incident", () => {
  it("test_ended__not_all_succeeded__no_success", () => {
    expect(incidentStatus({ ...three, state: "ended" }).tone).toBe("warn");
    const done = incident({ state: "ended", items: [incidentItem("a", { state: "succeeded" })] });
    expect(incidentStatus(done).tone).toBe("ok");
  });
});

describe("the site that a link has lost", () => {
  it("test_lost__a_side_is_down__its_site_and_the_links_there", () => {
    expect(lostSite(siteLost(20))).toBe("Milan");
    expect(lostSite(calm())).toBeNull();
    expect(linksAtSite([siteLost(20), calm()], "Milan")).toBe(2);
  });
});
