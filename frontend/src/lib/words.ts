/** "db-b1: stop the forward channel" beside its node's name would say it twice. */
export function bareTitle(title: string, node: string | null): string {
  const bare = node && title.startsWith(`${node}: `) ? title.slice(node.length + 2) : title;
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
