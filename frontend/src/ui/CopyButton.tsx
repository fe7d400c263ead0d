import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface CopyProps {
  text: string;
  label: string;
  /** The text on the button; without it the button is an icon named by its label. */
  words?: string;
  quiet?: boolean;
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, words, quiet = false }: CopyProps) {
  const clipboard = useClipboard({ timeout: 1600 });
  const icon = clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />;
  const onClick = () => clipboard.copy(text);
  if (words)
    return (
      <Button
        variant={quiet ? "subtle" : "default"}
        size={quiet ? "compact-sm" : "sm"}
        color={quiet ? "gray" : "teal"}
        leftSection={icon}
        onClick={onClick}
        aria-label={label}
      >
        {clipboard.copied ? "Copied" : words}
      </Button>
    );
  return (
    <Tooltip label={clipboard.copied ? "Copied" : label} withArrow>
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={onClick} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** A value with a button that copies it. */
export function Copyable({
  text,
  label,
  mono = true,
}: {
  text: string;
  label: string;
  mono?: boolean;
}) {
  return (
    <span className="nowrap">
      <span className={mono ? "mono" : undefined}>{text}</span>{" "}
      <CopyButton text={text} label={`Copy ${label}`} />
    </span>
  );
}
