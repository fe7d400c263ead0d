import { useMantineColorScheme } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { useStoredPreferences, useUpdatePreferences } from "@/api/resources/preferences";
import type { Preferences } from "@/api/types";
import { DEFAULT_PREFERENCES } from "@/domain/preferences";
import { showProblem } from "./toast";

interface PreferencesValue {
  preferences: Preferences;
  /** Stores the change for the user; it is shown at once. */
  change: (change: Partial<Preferences>) => void;
}

const PreferencesContext = createContext<PreferencesValue>({
  preferences: DEFAULT_PREFERENCES,
  change: () => undefined,
});

/** How things are shown to this user, and the way to change that. */
export const usePreferences = (): PreferencesValue => useContext(PreferencesContext);

/**
 * The user's preferences, from the session that every page of the layout has. Mantine keeps a copy of
 * the colour scheme in this browser, so that the first paint has the right one.
 */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const preferences = useStoredPreferences() ?? DEFAULT_PREFERENCES;
  const update = useUpdatePreferences();
  const { setColorScheme } = useMantineColorScheme();
  const { density, color_scheme } = preferences;
  useEffect(() => setColorScheme(color_scheme), [color_scheme, setColorScheme]);
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
  const value = useMemo(
    () => ({
      preferences,
      change: (change: Partial<Preferences>) =>
        update(change, { onError: (error) => showProblem(error, "Saving the preference") }),
    }),
    [preferences, update],
  );
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}
