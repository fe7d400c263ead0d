/** "db-b1: stop the forward channel" beside its node's name would say it twice. */
export function stripNodePrefix(title: string, node: string | null): string {
  if (!node || !title.startsWith(`${node}: `)) return title;
  const bare = title.slice(node.length + 2);
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
