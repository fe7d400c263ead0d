import { useMantineColorScheme } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { useStoredPreferences, useUpdatePreferences } from "@/api/resources/preferences";
import type { Preferences } from "@/api/types";
import { asPreferences, DEFAULT_PREFERENCES } from "@/domain/preferences";
import { readStored, writeStored } from "@/lib/local-preferences";
import { showProblem } from "./toast";

/** This browser's copy: used until the server's answer is there, and signed out. */
const KEY = "hawser.preferences";

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

/** The user's preferences; this browser's copy of them until they are there, and signed out. */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const stored = useStoredPreferences();
  const { mutate } = useUpdatePreferences();
  const { setColorScheme } = useMantineColorScheme();
  const preferences = useMemo(() => stored ?? asPreferences(readStored(KEY)), [stored]);
  const { density, color_scheme } = preferences;
  useEffect(() => writeStored(KEY, preferences), [preferences]);
  useEffect(() => setColorScheme(color_scheme), [color_scheme, setColorScheme]);
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
  const value = useMemo(
    () => ({
      preferences,
      change: (change: Partial<Preferences>) =>
        mutate(change, { onError: (error) => showProblem(error, "Saving the preference") }),
    }),
    [preferences, mutate],
  );
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}
