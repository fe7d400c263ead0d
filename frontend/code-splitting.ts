import type { BuildEnvironmentOptions } from "vite";

/**
 * What chunks a build is cut into. Left alone, each set of modules that the same pages share becomes
 * a chunk: the list of links loaded 72 of them, and its data waited behind them, since a browser
 * opens six connections to a server. What most pages share is one chunk instead.
 * Fields of forms stay out of it: the list of links, which is opened first, has none.
 */
export const codeSplitting: BuildEnvironmentOptions["rolldownOptions"] = {
  output: {
    codeSplitting: {
      groups: [
        { name: "entry", tags: ["$initial"], priority: 2 },
        {
          name: "forms",
          test: /[\\/](@mantine[\\/]form|fast-deep-equal|klona|react-number-format|NumberInput)[\\/]|use-server-form/,
          includeDependenciesRecursively: false,
          priority: 1.5,
        },
        { name: "common", minShareCount: 14, priority: 1 },
      ],
    },
  },
};
