/**
 * The shortest way that leads from something back to itself.
 * @param start where the way begins and ends
 * @param next what each thing leads to, also what is not known: that leads nowhere
 * @returns the things on the way in their order, `start` first and not repeated at the end; undefined if no way leads back
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
 * Loads everything that some things lead to, level by level.
 * @param load gives those of the ids that exist, with what each of them leads to
 * @returns all of them by id, the first included
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
