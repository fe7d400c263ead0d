import { API } from "@/api/client";
import { curlCommand } from "@/lib/curl-command";
import { CopyButton } from "@/ui/CopyButton";

/** Copies the request that this page sends as a `curl` command. */
export function CurlButton(props: { method: string; path: string; body?: unknown }) {
  const text = curlCommand(props.method, `${API}${props.path}`, window.location.origin, props.body);
  return (
    <span className="no-print">
      <CopyButton text={text} label="Copy as curl" words="Copy as curl" quiet />
    </span>
  );
}
