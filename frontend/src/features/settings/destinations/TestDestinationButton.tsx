import { useTestDestination } from "@/api/resources/destinations";
import type { Destination } from "@/api/types";
import { TestButton } from "../TestButton";

/** Has a worker send one test to the destination. */
export function TestDestinationButton({ destination }: { destination: Destination }) {
  const test = useTestDestination(destination);
  return (
    <TestButton
      name={destination.name}
      test={test}
      queued={`Test to ${destination.name} queued.`}
    />
  );
}
