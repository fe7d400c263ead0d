import { API } from "@/api/http";
import { curlLine } from "@/lib/ids";
import { CopyButton } from "@/ui/CopyButton";

/** The same act from a terminal: what this page sends, as a `curl` line. */
export function CurlButton(props: {
  method: string;
  path: string;
  body?: unknown;
  words?: string;
}) {
  const text = curlLine(props.method, `${API}${props.path}`, window.location.origin, props.body);
  return <CopyButton text={text} label="Copy as curl" words={props.words ?? "curl"} quiet />;
}
