import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, useState } from "react";
import { Deferred } from "@/ui/Deferred";
import type { CommandPaletteProps } from "./CommandPalette";

const loadPalette = () => import("./CommandPalette");
const CommandPalette = lazy(loadPalette);

interface CommandPaletteButtonProps extends CommandPaletteProps {
  /** Of the button with words; without it the button is an icon. */
  className?: string;
}

/** Opens the command palette, by click or Ctrl-K; its code is loaded on first use. */
export function CommandPaletteButton({ className, ...props }: CommandPaletteButtonProps) {
  const [isRequested, setRequested] = useState(false);
  const open = () => {
    // The palette opens itself when it is mounted.
    if (isRequested) void loadPalette().then(({ spotlight }) => spotlight.open());
    setRequested(true);
  };
  useHotkeys([["mod+K", open]], []);
  return (
    <>
      {className === undefined ? (
        <ActionIcon variant="subtle" color="gray" size={40} aria-label="Go to…" onClick={open}>
          <IconSearch size={20} />
        </ActionIcon>
      ) : (
        <UnstyledButton className={className} onClick={open}>
          Go to… <kbd>Ctrl K</kbd>
        </UnstyledButton>
      )}
      {isRequested && (
        <Deferred>
          <CommandPalette {...props} />
        </Deferred>
      )}
    </>
  );
}
