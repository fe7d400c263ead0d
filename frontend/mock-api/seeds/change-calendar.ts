/** A weekly window and a freeze that is in force. */
import type { ChangeCalendar } from "@/api/types";
import { ago } from "./clusters";

const by = { created_by: "second-admin", created_at: "2026-11-02T09:00:00Z" };

export const newChangeCalendar = (): ChangeCalendar => ({
  windows: [
    {
      id: "q_night",
      name: "weekend night",
      reason: "low load",
      links: [],
      ...by,
      zone: "Europe/Berlin",
      weekdays: [5, 6],
      starts: "22:00:00",
      minutes: 240,
      opens_at: null,
      closes_at: null,
    },
  ],
  freezes: [
    {
      id: "u_year",
      name: "year end",
      reason: "closing of the books",
      links: ["l_payments"],
      ...by,
      begins_at: ago(3600),
      ends_at: ago(-86_400),
    },
  ],
});
