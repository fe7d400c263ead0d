/** The title without its node's name, for places that show the name beside it. */
export function stripNodePrefix(title: string, node: string | null): string {
  if (!node || !title.startsWith(`${node}: `)) return title;
  const bare = title.slice(node.length + 2);
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
