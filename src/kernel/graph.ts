/**
 * The shortest cycle through a node.
 * @param start the begin and end of the cycle
 * @param next the successors of a node; an unknown node has none
 * @returns the nodes of the cycle in order, `start` first and not repeated at the end; undefined without a cycle
 */
export function shortestCycle(start: string, next: (id: string) => Iterable<string>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (const id of open) {
    for (const following of next(id)) {
      if (following === start) return pathTo(id, start, cameFrom);
      if (cameFrom.has(following)) continue;
      cameFrom.set(following, id);
      open.push(following);
    }
  }
  return undefined;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let id = end; id !== start; way.unshift(id)) id = cameFrom.get(id)!;
  return way;
}

/**
 * Loads all nodes that can be reached from some nodes, level by level.
 * @param load returns the existing nodes of the ids, with the successors of each
 * @returns all nodes by id, including the first
 */
export async function loadReachable<Thing extends { readonly id: string }>(
  first: readonly Thing[],
  next: (thing: Thing) => Iterable<string>,
  load: (ids: readonly string[]) => Promise<readonly Thing[]>,
): Promise<Map<string, Thing>> {
  const known = new Map<string, Thing>();
  for (let level = first; level.length > 0;) {
    for (const thing of level) known.set(thing.id, thing);
    const wanted = new Set(level.flatMap((thing) => [...next(thing)]).filter((id) => !known.has(id)));
    level = wanted.size === 0 ? [] : await load([...wanted]);
  }
  return known;
}
