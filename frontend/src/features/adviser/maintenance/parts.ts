import type { TransferJoiner } from "@/api/types";

export const PARTS: Record<TransferJoiner["parts"][number]["name"], string> = {
  start: "Start and restart",
  copy: "Copy",
  prepare: "Prepare",
  catch_up: "Catch up",
};
