import { useMediaQuery } from "@mantine/hooks";

/** Whether the screen is a phone's, where rows of a table are cards: as `@media` in the stylesheets. */
export const useIsNarrow = (): boolean => useMediaQuery("(max-width: 600px)");
