import { Skeleton } from "@mantine/core";

/** A placeholder of the size of the content, so that the page does not move when it arrives. */
export function SkeletonLines({
  lines = 3,
  height = 14,
  gap = 12,
}: {
  lines?: number;
  height?: number;
  gap?: number;
}) {
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a placeholder have no identity
          key={index}
          height={height}
          mb={gap}
          width={index === lines - 1 && lines > 1 ? "62%" : "100%"}
        />
      ))}
    </div>
  );
}
