import { SegmentedControl } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { usePreferences } from "@/components/PreferencesProvider";
import { onePageLink, stepLink, type WorkflowLocation } from "./step-link";
import { useIsOnePage } from "./workflow-view";

const VIEWS = [
  { value: "steps", label: "Step by step" },
  { value: "page", label: "One page" },
];

/** Shows the steps of an operation one by one or on one page, and remembers it for the user. */
export function ViewSwitch({ location }: { location: WorkflowLocation }) {
  const isOnePage = useIsOnePage();
  const { change } = usePreferences();
  const navigate = useNavigate();
  const show = (view: string) => {
    const link = view === "page" ? onePageLink(location) : stepLink(location.step, location);
    if (link === null) return;
    change({ workflow_view: view === "page" ? "page" : "steps" });
    void navigate(link);
  };
  return (
    <SegmentedControl
      className="no-print"
      size="xs"
      aria-label="View of this operation"
      value={isOnePage ? "page" : "steps"}
      onChange={show}
      data={VIEWS}
    />
  );
}
