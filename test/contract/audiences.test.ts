import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Game, newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;
let game: Game;

beforeAll(async () => {
  service = await startContractService();
  game = await newGame(service, { audienceKind: 'MANUAL' });
});
afterAll(() => service.close());

const assign = (accountIds: unknown, audienceId = game.audienceId) =>
  service.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds });
const remove = (accountIds: unknown, audienceId = game.audienceId) =>
  service.rest('DELETE', `/gamification/audiences/${audienceId}/accounts/remove`, { accountIds });
const feed = async (id: string) => (await service.rest('GET', `/v1/feed/account/${id}`)).body;

async function newAccount(): Promise<string> {
  return (await service.rest('POST', '/accounts', {})).body.id;
}

describe('POST /gamification/audiences/{audienceId}/accounts/assign', () => {
  test('answers 200 with the audience, and the account has the missions of its active campaign at once', async () => {
    const id = await newAccount();
    expect(await feed(id)).toEqual([]);
    const answer = await assign([id]);
    expect(answer).toMatchObject({ status: 200, body: { id: game.audienceId, kind: 'MANUAL' } });
    expect(await feed(id)).toMatchObject([{ missionId: game.missionIds[0], status: 'ACTIVE' }]);
    expect((await assign([id])).status).toBe(200);
  });

  test('before the campaign is active the feed is empty, and activation fills it for every account', async () => {
    const draft = await newGame(service, { audienceKind: 'MANUAL', activate: false });
    const ids = await Promise.all([newAccount(), newAccount()]);
    await assign(ids, draft.audienceId);
    expect(await feed(ids[0])).toEqual([]);
    await service.rest('POST', `/admin/campaigns/${draft.campaignId}/activate`);
    for (const id of ids) expect(await feed(id)).toMatchObject([{ campaignId: draft.campaignId }]);
  });

  test('takes internal ids only', async () => {
    await service.rest('POST', '/accounts/resolve', { externalId: 'by-name' });
    expect(await assign(['by-name'])).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
  });

  test('with one unknown account assigns none', async () => {
    const id = await newAccount();
    const unknown = randomUUID();
    const answer = await assign([id, unknown]);
    expect(answer).toMatchObject({ status: 404, body: errorBody(404, 'ACCOUNT_NOT_FOUND', new RegExp(unknown)) });
    expect(await feed(id)).toEqual([]);
  });

  test.each([
    ['no list', undefined],
    ['an empty list', []],
    ['text', 'all'],
    ['10,001 ids', Array.from({ length: 10_001 }, () => randomUUID())],
  ])('with %s is a 400', async (_what, accountIds) => {
    expect(await assign(accountIds)).toMatchObject({ status: 400, body: errorBody(400, 'BAD_REQUEST') });
  });

  test('of an unknown audience is a 404, and of one of everybody a 409', async () => {
    const id = await newAccount();
    expect(await assign([id], randomUUID())).toMatchObject({ body: errorBody(404, 'AUDIENCE_NOT_FOUND') });
    const { body: everyone } = await service.rest('POST', '/admin/audiences', { name: 'All', kind: 'EVERYONE' });
    expect(await assign([id], everyone.id)).toMatchObject({ body: errorBody(409, 'AUDIENCE_NOT_MANUAL') });
  });
});

describe('DELETE /gamification/audiences/{audienceId}/accounts/remove', () => {
  test('takes the active items from the feed and leaves what was earned', async () => {
    const done = await newAccount();
    const other = await newAccount();
    await assign([done, other]);
    await service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId: done });
    expect(await remove([done, other])).toMatchObject({ status: 200, body: { id: game.audienceId } });
    expect(await feed(other)).toEqual([]);
    expect((await service.rest('GET', `/v1/gamification/missions/completed/${done}`)).body).toHaveLength(1);
    expect((await service.rest('GET', `/v1/gamification/missions/my-rewards/${done}`)).body).toHaveLength(1);
    expect((await remove([done, other])).status).toBe(200);
  });

  test('with one unknown account removes none', async () => {
    const id = await newAccount();
    await assign([id]);
    expect(await remove([id, randomUUID()])).toMatchObject({ body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
    expect(await feed(id)).toHaveLength(1);
  });
});
