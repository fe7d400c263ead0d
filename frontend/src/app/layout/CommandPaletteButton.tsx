import { UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import type { NavItem } from "@/app/navigation";

const loadPalette = () => import("./CommandPalette");
const CommandPalette = lazy(loadPalette);

/** Opens the command palette, by click or Ctrl-K; its code is loaded on first use. */
export function CommandPaletteButton(props: { items: readonly NavItem[]; className: string }) {
  const [isRequested, setRequested] = useState(false);
  const open = () => {
    // The palette opens itself when it is mounted.
    if (isRequested) void loadPalette().then(({ spotlight }) => spotlight.open());
    setRequested(true);
  };
  useHotkeys([["mod+K", open]], []);
  return (
    <>
      <UnstyledButton className={props.className} onClick={open}>
        Go to… <kbd>Ctrl K</kbd>
      </UnstyledButton>
      {isRequested && (
        <Suspense fallback={null}>
          <CommandPalette items={props.items} />
        </Suspense>
      )}
    </>
  );
}
