/** How the pages name `writes_on_both_sides`. */
export const STANDBY_WRITES = {
  label: "Applications write on the standby side, too",
  description:
    "While both sides are written on purpose, a standby side that accepts writes is no warning.",
};
