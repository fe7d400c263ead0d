import type { BuildEnvironmentOptions } from "vite";

/**
 * What chunks a build is cut into. Left alone, each set of modules that the same pages share becomes
 * a chunk: the list of links loaded 72 of them, and its data waited behind them, since a browser
 * opens six connections to a server. What most pages share is one chunk instead.
 */
export const codeSplitting: BuildEnvironmentOptions["rolldownOptions"] = {
  output: {
    codeSplitting: {
      groups: [
        { name: "entry", tags: ["$initial"], priority: 2 },
        { name: "common", minShareCount: 14, priority: 1 },
      ],
    },
  },
};
