import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Game, newGame } from '../support/game.ts';
import type { TestService } from '../support/service.ts';
import { errorBody, startContractService } from './support/contract-service.ts';

let service: TestService;
let explicit: Game;
let automatic: Game;

beforeAll(async () => {
  service = await startContractService();
  explicit = await newGame(service, { campaign: { claimPolicy: 'EXPLICIT' } });
  automatic = await newGame(service, { codes: { VISIT: 'SINGLE' }, missions: [{ programmaticCode: 'VISIT' }] });
});
afterAll(() => service.close());

const emit = (programmaticCode: string, accountId: string) =>
  service.rest('POST', '/gamification/triggers', { programmaticCode, accountId, idType: 'EXTERNAL' });
const claim = (accountId: string, more: object = {}, campaignId = explicit.campaignId) =>
  service.rest('POST', `/gamification/campaigns/${campaignId}/claim`, { accountId, idType: 'EXTERNAL', ...more });

describe('POST /gamification/campaigns/{campaignId}/claim', () => {
  test('delivers the completion rewards, which completing the last mission did not', async () => {
    const done = await emit('LOGIN', 'claimer');
    expect(done.body).toMatchObject({ progressedMissions: [{ status: 'COMPLETED' }], rewards: [] });
    const feed = await service.rest(
      'GET',
      `/v1/feed/account/claimer?idType=EXTERNAL&filters=${encodeURIComponent('{"filters":[{"field":"status","value":"COMPLETED"}]}')}`,
    );
    expect(feed.body).toMatchObject([{ campaignId: explicit.campaignId, claimable: true }]);
    const answer = await claim('claimer');
    expect(answer).toMatchObject({ status: 200, body: { rewards: [{ rewardType: 'POINTS', status: 'DELIVERED' }] } });
  });

  test('twice is a 409, and with an operationId the same answer', async () => {
    await emit('LOGIN', 'twice');
    const operationId = randomUUID();
    const first = await claim('twice', { operationId });
    expect(first.status).toBe(200);
    expect(await claim('twice', { operationId })).toMatchObject({ status: 200, body: first.body });
    expect(await claim('twice')).toMatchObject({ status: 409, body: errorBody(409, 'CAMPAIGN_ALREADY_CLAIMED') });
    const points = await service.rest('GET', '/loyalty/accounts/twice/points?idType=EXTERNAL');
    expect(points.body).toMatchObject({ available: 10 });
  });

  test('twenty times at once delivers once', async () => {
    await emit('LOGIN', 'eager');
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim('eager')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const points = await service.rest('GET', '/loyalty/accounts/eager/points?idType=EXTERNAL');
    expect(points.body).toMatchObject({ available: 10 });
  });

  test('before completion is a 409', async () => {
    await service.rest('POST', '/accounts/resolve', { externalId: 'early' });
    expect(await claim('early')).toMatchObject({ status: 409, body: errorBody(409, 'CAMPAIGN_NOT_COMPLETED') });
  });

  test('of a campaign that closes by itself is a 409', async () => {
    await emit('VISIT', 'auto');
    const answer = await claim('auto', {}, automatic.campaignId);
    expect(answer).toMatchObject({ status: 409, body: errorBody(409, 'CAMPAIGN_NOT_CLAIMABLE') });
  });

  test('of an unknown campaign or account is a 404', async () => {
    expect(await claim('claimer', {}, randomUUID())).toMatchObject({ body: errorBody(404, 'CAMPAIGN_NOT_FOUND') });
    expect(await claim('stranger')).toMatchObject({ body: errorBody(404, 'ACCOUNT_NOT_FOUND') });
  });
});
