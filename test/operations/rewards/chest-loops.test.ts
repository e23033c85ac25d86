import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import type { RestAnswer } from '../../support/service.ts';
import { startService, type TestService } from '../../support/service.ts';
import { deliver, newAccounts, reward } from './provision.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Entry = { readonly rewardId: string; readonly weight?: number; readonly guaranteed?: boolean };

const always = (rewardId: string): Entry => ({ rewardId, guaranteed: true });

/** A chest with one point in it, and a reward that brings such a chest. */
async function newChest(name: string): Promise<{ id: string; name: string; rewardId: string }> {
  const point = await ok(service.rest('POST', '/admin/rewards', { name: 'Point', type: 'POINTS', amount: 1 }));
  const { id } = await ok(service.rest('POST', '/admin/chests', { name, entries: [always(point.id)] }));
  const brings = { name: `One ${name}`, type: 'CHEST', amount: 1, chestId: id };
  return { id, name, rewardId: (await ok(service.rest('POST', '/admin/rewards', brings))).id };
}

/** Changes the content of a chest, with its present version. */
async function fill(
  chest: { id: string; name: string },
  entries: readonly Entry[],
  totalWeight?: number,
): Promise<RestAnswer> {
  const { version } = await read(chest.id);
  return service.rest('PUT', `/admin/chests/${chest.id}`, { version, name: chest.name, entries, totalWeight });
}

const read = (id: string) => ok(service.rest('GET', `/admin/chests/${id}`));

describe('a chest that leads to itself', () => {
  test('in every draw is refused, with the loop, and stays what it was', async () => {
    const gold = await newChest('Gold');
    const before = await read(gold.id);
    expect(await fill(gold, [always(gold.rewardId)])).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: expect.stringContaining(`chest 'Gold' -> reward 'One Gold' -> chest 'Gold'`),
      },
    });
    expect(await read(gold.id)).toEqual(before);
  });

  test('through other chests is refused, with all of them', async () => {
    const [gold, silver, bronze] = [await newChest('Gold'), await newChest('Silver'), await newChest('Bronze')];
    await ok(fill(gold, [always(silver.rewardId)]));
    await ok(fill(silver, [always(bronze.rewardId)]));
    const loop = `chest 'Bronze' -> reward 'One Gold' -> chest 'Gold' -> reward 'One Silver' -> chest 'Silver' -> reward 'One Bronze' -> chest 'Bronze'`;
    expect(await fill(bronze, [always(gold.rewardId)])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(loop) },
    });
  });

  test('by a weight that is drawn every time is refused, too', async () => {
    const gold = await newChest('Gold');
    expect((await fill(gold, [{ rewardId: gold.rewardId, weight: 3 }])).status).toBe(400);
    expect((await fill(gold, [{ rewardId: gold.rewardId, weight: 3 }], 3)).status).toBe(400);
    expect((await fill(gold, [{ rewardId: gold.rewardId, weight: 3 }], 4)).status).toBe(200);
  });

  test('in some draws is warned of by every chest on the loop', async () => {
    const [gold, silver] = [await newChest('Gold'), await newChest('Silver')];
    expect((await ok(fill(gold, [always(silver.rewardId)]))).warnings).toEqual([]);
    const chance = [{ rewardId: gold.rewardId, weight: 1 }];
    const changed = await ok(fill(silver, chance, 10));
    const loop = `chest 'Silver' -> reward 'One Gold' -> chest 'Gold' -> reward 'One Silver' -> chest 'Silver'`;
    const warnings = [{ code: 'LOOP_BY_CHANCE', message: expect.stringContaining(loop) }];
    expect(changed).toMatchObject({ warnings });
    expect(await read(silver.id)).toEqual(changed);
    expect((await read(gold.id)).warnings).toMatchObject([{ code: 'LOOP_BY_CHANCE' }]);
    const listed: Array<{ id: string }> = (await ok(service.rest('GET', '/admin/chests/paginated?page=1&limit=100')))
      .rows;
    expect(listed.find(({ id }) => id === silver.id)).toEqual(changed);
    await ok(fill(silver, [always((await newChest('Bronze')).rewardId)]));
    expect(await read(gold.id)).toMatchObject({ warnings: [] });
  });

  test('is refused to one of two who each close a half of the loop at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [gold, silver] = [await newChest('Gold'), await newChest('Silver')];
      const answers = await Promise.all([fill(gold, [always(silver.rewardId)]), fill(silver, [always(gold.rewardId)])]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });

  test('from before such loops were refused goes on, and says so', async () => {
    const gold = await newChest('Gold');
    const entries = JSON.stringify([{ rewardId: gold.rewardId, weight: 0, guaranteed: true }]);
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update chest_definition set entries = $2 where client_id = $1 and id = $3', [
        uow.clientId,
        entries,
        gold.id,
      ]),
    );
    const renamed = await ok(fill({ ...gold, name: 'Golden' }, [always(gold.rewardId)]));
    expect(renamed).toMatchObject({ name: 'Golden', warnings: [{ code: 'LOOP' }] });
    const [accountId = ''] = await newAccounts(service.db, service.clientId, 1);
    const order = { accountId, reward: reward('CHEST', 1, { chestId: gold.id }), now: new Date() };
    await deliver(service.db, service.clientId, [order]);
    const [chest] = await ok(service.rest('GET', `/gamification/chests/account/${accountId}`));
    const opened = await ok(service.rest('POST', `/gamification/chests/${chest.id}/open`, { accountId }));
    expect(opened.rewards).toMatchObject([{ rewardType: 'CHEST', status: 'DELIVERED' }]);
  });
});
