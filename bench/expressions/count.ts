import type { Result, Settings } from '../benchmark.ts';
import { whole } from '../report.ts';
import { median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { createAccounts, createWorld, RULE, type World } from './world.ts';

/** Accounts of the client. */
export const COUNTED = 1_000_000;

/** Accounts for one that is in the audience. */
export const MEMBERS_IN = 4;

/** Milliseconds to count an audience of a million accounts. */
const WANTED = 2_000;

/** An expression that holds for every {@link MEMBERS_IN}th account, and the rows that it needs beside the accounts. */
export type CountedRule = { readonly expression: string; readonly prepare?: (world: World) => Promise<void> };

/** Milliseconds of the call that an operator's page of a RULE audience makes, warm. */
export function measureCount(
  { rounds }: Settings,
  { expression, prepare }: CountedRule = { expression: RULE },
): Promise<Result> {
  return withWorkbench('expressions-count', async (workbench) => {
    const world = await createWorld(workbench, 'counted');
    const begun = performance.now();
    await createAccounts(world, COUNTED, MEMBERS_IN);
    await prepare?.(world);
    const filledIn = performance.now() - begun;
    const { id } = await world.admin('POST', '/admin/audiences', { name: 'Counted', kind: 'RULE', expression });
    const times: number[] = [];
    // The first one reads the pages from the disk.
    for (let call = 0; call <= rounds; call += 1)
      times.push(await timeOf(() => world.admin('GET', `/admin/audiences/${id}`)));
    return {
      unit: 'ms',
      ours: median(times.slice(1)),
      reference: WANTED,
      details: {
        'each call': times.map((time) => `${whole(time)} ms`).join(', '),
        accounts: `${whole(COUNTED)}, written in ${whole(filledIn / 1_000)} s`,
        verified: `each call answered ${whole(COUNTED / MEMBERS_IN)} members`,
      },
    };
  });
}

async function timeOf(count: () => Promise<object>): Promise<number> {
  const begun = performance.now();
  const answer = (await count()) as { memberCount?: number };
  const time = performance.now() - begun;
  if (Number(answer.memberCount) === COUNTED / MEMBERS_IN) return time;
  throw new Error(`The service counted ${JSON.stringify(answer)}.`);
}
