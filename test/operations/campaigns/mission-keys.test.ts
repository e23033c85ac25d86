import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok } from '../../support/administration.ts';
import { type Game, newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
let game: Game;

beforeAll(async () => {
  service = await sharedService();
  game = await newGame(service, { activate: false });
});
afterAll(() => service.close());

/** A draft of missions with these names, each with further fields. */
const draft = (missions: readonly object[]) => ({
  name: 'In order',
  audienceIds: [game.audienceId],
  rewardIds: game.rewardIds,
  missions: missions.map((mission, index) => ({
    type: 'MISSION',
    name: `Mission ${index}`,
    programmaticCode: 'LOGIN',
    target: 1,
    ...mission,
  })),
});
const after = (...ids: string[]) => ({ conditions: { prerequisiteMissionIds: ids } });
const create = (missions: readonly object[]) => service.rest('POST', '/admin/campaigns', draft(missions));

describe('missions of one draft that name each other by keys', () => {
  test('are created in one call, waiting for the ids that the others got', async () => {
    const [first, second] = [newId(), newId()];
    const stored = await ok(create([{ key: first }, { key: second, ...after(first.toUpperCase()) }, after(second)]));
    const ids = stored.missions.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain(first);
    expect(stored.missions.map(({ conditions }: { conditions: object }) => conditions)).toMatchObject([
      {},
      { prerequisiteMissionIds: [ids[0]] },
      { prerequisiteMissionIds: [ids[1]] },
    ]);
    expect(await ok(service.rest('GET', `/admin/campaigns/${stored.id}`))).toEqual(stored);
    expect((await service.rest('POST', `/admin/campaigns/${stored.id}/activate`)).status).toBe(200);
  });

  test('are added to a stored draft beside what it has, which goes on to be named by its id', async () => {
    const stored = await ok(create([{}]));
    const [{ id: kept }] = stored.missions;
    const key = newId();
    const campaign = draft([{ id: kept, ...after(key) }, { key }, after(kept, key)]);
    const changed = await ok(
      service.rest('PUT', `/admin/campaigns/${stored.id}`, { version: stored.version, campaign }),
    );
    const added = changed.missions[1].id;
    expect(changed.missions[0]).toMatchObject({ id: kept, conditions: { prerequisiteMissionIds: [added] } });
    expect(changed.missions[2].conditions.prerequisiteMissionIds).toEqual([kept, added]);
  });

  test('are refused where two have the same key, and where a key is of none of them', async () => {
    const key = newId();
    expect(await create([{ key }, { key: key.toUpperCase() }])).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringContaining('missions[1].key') },
    });
    expect(await create([{}, after(key)])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`no mission with the id ${key}`) },
    });
  });

  test('that wait for each other in a circle are a draft, and cannot be activated', async () => {
    const [one, other] = [newId(), newId()];
    const { id } = await ok(
      create([
        { key: one, ...after(other) },
        { key: other, ...after(one) },
      ]),
    );
    expect(await service.rest('POST', `/admin/campaigns/${id}/activate`)).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_NOT_READY' },
    });
  });
});
