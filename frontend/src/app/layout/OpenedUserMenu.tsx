import { Menu, UnstyledButton } from "@mantine/core";
import {
  IconCheck,
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { CurrentUser } from "@/api/types";
import { usePreferences } from "@/components/PreferencesProvider";
import { useSignOut } from "@/components/use-sign-out";

const SCHEMES = [
  { value: "auto", label: "Match system", icon: IconDeviceDesktop },
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
] as const;

/** The user menu, opened at once; UserMenu loads it. */
export default function OpenedUserMenu({
  user,
  className,
}: {
  user: CurrentUser;
  className: string;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  const focusTrigger = () => trigger.current?.focus();
  // This trigger replaces the button that had the focus.
  useEffect(() => trigger.current?.focus(), []);
  const { preferences, change } = usePreferences();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu defaultOpened onClose={focusTrigger} position="top-start" width={220} shadow="md">
      <Menu.Target>
        <UnstyledButton className={className} ref={trigger}>
          {user.username}
          <small>{user.role}</small>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Color scheme</Menu.Label>
        {SCHEMES.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={15} />}
            rightSection={
              preferences.color_scheme === value ? (
                <IconCheck size={15} aria-label="selected" />
              ) : null
            }
            onClick={() => change({ color_scheme: value })}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKey size={15} />}
          onClick={() => void navigate({ to: "/account" })}
        >
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSettings size={15} />}
          onClick={() => void navigate({ to: "/settings/display" })}
        >
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void signOut(user)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
