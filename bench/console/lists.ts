import { routes } from '../../gen/routes.ts';
import { asking, type Ask, timed, type Timing } from './timing.ts';
import type { World } from './world.ts';

/** The measured pages: a person turns no more pages by hand. */
const PAGES = [1, 2, 10, 50, 100];
const LIMIT = 50;

/** Measures every list with pages in each of its orders. */
export async function measureLists(world: World): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const { rpc, path } of routes) {
    const fields = rpc.input.fields.map(({ localName }) => localName);
    if (!['orderBy', 'page', 'limit'].every((name) => fields.includes(name))) continue;
    const list = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idNamed(world, name));
    const ask = await allowed(world, `${list}?page=1&limit=1`);
    const orders = await ordersOf(ask, list);
    for (const order of ['', ...orders.flatMap((name) => [name, `${name} desc`])]) {
      let length = Number.POSITIVE_INFINITY;
      for (const page of PAGES.filter((number) => number === 1 || (number - 1) * LIMIT < length)) {
        const query = new URLSearchParams({
          page: String(page),
          limit: String(LIMIT),
          ...(order && { orderBy: order }),
        });
        const timing = await timed(ask, `${rpc.name} by ${order || 'its own order'}, page ${page}`, `${list}?${query}`);
        timings.push(timing);
        if ((timing.rows ?? 0) < LIMIT) length = 0;
      }
    }
  }
  return timings;
}

/** Selects the credential that may call a path: operators may not read the lists of shops. */
async function allowed({ baseUrl, token, apiKey }: World, path: string): Promise<Ask> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return asking(baseUrl, response.status === 403 ? apiKey : token);
}

/** The order names in the refusal of an unknown order. */
async function ordersOf(ask: Ask, list: string): Promise<string[]> {
  const refusal = await ask(`${list}?page=1&limit=1&orderBy=unknown`).then(
    () => '',
    (error: Error) => error.message,
  );
  const names = /for the highest first: ([\w, ]+)\./.exec(refusal)?.[1];
  if (names === undefined) throw new Error(`${list} does not say what it can be ordered by: ${refusal}`);
  return names.split(', ');
}

function idNamed({ ids }: World, name: string): string {
  const id = ids[name];
  if (id === undefined) throw new Error(`The world has no ${name} for the path of a list.`);
  return id;
}
