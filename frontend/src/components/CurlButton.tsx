import { API } from "@/api/client";
import { curlCommand } from "@/lib/curl-command";
import { CopyButton } from "@/ui/CopyButton";

interface CurlButtonProps {
  method: string;
  path: string;
  body?: unknown;
  words?: string;
}

/** Copies the request that this page sends as a `curl` command. */
export function CurlButton({ method, path, body, words = "Copy as curl" }: CurlButtonProps) {
  const text = curlCommand(method, `${API}${path}`, window.location.origin, body);
  return <CopyButton text={text} label="Copy as curl" words={words} quiet />;
}
