import { type ComponentType, useEffect, useState } from "react";
import { askBy } from "@/api/step-up";
import type { StepUpDialogProps } from "./StepUpDialog";

interface Asked {
  Dialog: ComponentType<StepUpDialogProps>;
  ways: string[];
  end: (isProven: boolean) => void;
}

/** The dialog; null where its code cannot be loaded, which is tried again by the next call. */
const loadedDialog = () =>
  import("./StepUpDialog").then(({ StepUpDialog }) => StepUpDialog).catch(() => null);

/**
 * The place of the dialog that asks the user to prove to be present; nothing is loaded before. Without
 * the dialog's code the call stays refused, in words, beside what was entered.
 */
export function StepUpOutlet() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(
    () =>
      askBy(async (ways) => {
        const Dialog = await loadedDialog();
        if (Dialog === null) return false;
        return new Promise((resolve) => {
          const end = (isProven: boolean) => {
            setAsked(null);
            resolve(isProven);
          };
          setAsked({ Dialog, ways, end });
        });
      }),
    [],
  );
  if (asked === null) return null;
  return <asked.Dialog ways={asked.ways} onEnd={asked.end} />;
}
