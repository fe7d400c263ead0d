import { lazy, Suspense, useEffect, useState } from "react";
import { askBy } from "@/api/step-up";

const StepUpDialog = lazy(() =>
  import("./StepUpDialog").then(({ StepUpDialog: dialog }) => ({ default: dialog })),
);

interface Asked {
  ways: string[];
  end: (isProven: boolean) => void;
}

/** The place of the dialog that asks the user to prove to be present; nothing is loaded before. */
export function StepUpOutlet() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(
    () =>
      askBy(
        (ways) =>
          new Promise((resolve) => {
            const end = (isProven: boolean) => {
              setAsked(null);
              resolve(isProven);
            };
            setAsked({ ways, end });
          }),
      ),
    [],
  );
  if (asked === null) return null;
  return (
    <Suspense>
      <StepUpDialog ways={asked.ways} onEnd={asked.end} />
    </Suspense>
  );
}
