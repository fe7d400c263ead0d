import { Skeleton } from "@mantine/core";

/** The shape of what is to come, so that nothing jumps when it arrives. */
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
    <div role="status" aria-busy="true" aria-label="Reading">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton
          // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity
          key={index}
          height={height}
          mb={gap}
          width={index === lines - 1 && lines > 1 ? "62%" : "100%"}
        />
      ))}
    </div>
  );
}
