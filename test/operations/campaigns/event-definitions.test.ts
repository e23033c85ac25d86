import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { expectOneConflict, ok, pageQuery, recorded } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

let codes = 0;
const path = (id: string) => `/admin/event-definitions/${id}`;
const newDefinition = (body: object = {}) =>
  ok(
    service.rest('POST', '/admin/event-definitions', { programmaticCode: `CODE_${++codes}`, type: 'SINGLE', ...body }),
  );

test('a definition is named as its code unless it is given a name, and found by either', async () => {
  const plain = await newDefinition({ programmaticCode: 'REFERRAL' });
  expect(plain).toMatchObject({
    programmaticCode: 'REFERRAL',
    type: 'SINGLE',
    name: 'REFERRAL',
    description: '',
    version: 1,
  });
  const named = await newDefinition({ name: 'A bill was paid', description: 'Sent by billing.' });
  expect((await service.rest('GET', path(named.id))).body).toEqual(named);
  const list = (conditions: object) =>
    ok(service.rest('GET', `/admin/event-definitions/paginated?${pageQuery({ ...conditions })}`));
  expect((await list({ name: 'BILL' })).rows).toEqual([named]);
  expect((await list({ id: plain.id })).rows).toEqual([plain]);
});

test('integrators see code and type only, as their contract says', async () => {
  const { apiKey, adminToken } = await service.newTenant();
  await service.rest('POST', '/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' }, adminToken);
  const { body } = await service.rest('GET', '/gamification/triggers', undefined, apiKey);
  expect(body).toEqual([{ programmaticCode: 'LOGIN', type: 'SINGLE' }]);
});

describe('an update', () => {
  test('replaces the texts and nothing else, and is recorded', async () => {
    const created = await newDefinition({ description: 'Old.' });
    const updated = await ok(service.rest('PUT', path(created.id), { version: 1, name: 'New' }));
    expect(updated).toEqual({ ...created, name: 'New', description: '', version: 2, updatedAt: expect.any(String) });
    expect((await recorded(service, created.id)).at(-1)).toMatchObject({
      operation: 'EventDefinitionAdminService.UpdateEventDefinition',
      before: { description: 'Old.' },
      after: { name: 'New' },
    });
  });

  test('cannot name a code or a type', async () => {
    const { id } = await newDefinition();
    const answer = await service.rest('PUT', path(id), { version: 1, name: 'New', type: 'AMOUNT' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('by two editors at once tells the second', async () => {
    const { id } = await newDefinition();
    await expectOneConflict((name) => service.rest('PUT', path(id), { version: 1, name }));
  });
});

describe('a removal', () => {
  test('frees the code, and events of it are unknown; a repeat finds nothing', async () => {
    const { id, programmaticCode } = await newDefinition();
    const emit = () =>
      service.rest('POST', '/gamification/triggers', { programmaticCode, accountId: 'ada', idType: 'EXTERNAL' });
    expect((await emit()).status).toBe(200);
    await ok(service.rest('DELETE', path(id)));
    expect((await emit()).status).toBe(404);
    expect(await service.rest('DELETE', path(id))).toMatchObject({
      status: 404,
      body: { code: 'EVENT_DEFINITION_NOT_FOUND' },
    });
    expect(await newDefinition({ programmaticCode, type: 'AMOUNT' })).toMatchObject({ type: 'AMOUNT' });
    expect((await recorded(service, id)).at(-1)).toMatchObject({ after: null, before: { programmaticCode } });
  });

  test('is refused with the names of the missions that count it', async () => {
    const { id } = await newDefinition({ programmaticCode: 'USED' });
    const missions = [{ programmaticCode: 'USED', name: 'Use it' }];
    await newGame(service, { codes: {}, campaign: { name: 'Using' }, missions, activate: false });
    expect(await service.rest('DELETE', path(id))).toMatchObject({
      status: 409,
      body: { code: 'EVENT_DEFINITION_IN_USE', message: expect.stringContaining(`campaign 'Using', mission 'Use it'`) },
    });
  });

  test('and a campaign that begins to count it never both succeed', async () => {
    const { id, programmaticCode } = await newDefinition();
    const { audienceId, rewardIds } = await newGame(service);
    const campaign = {
      name: 'Race',
      audienceIds: [audienceId],
      rewardIds,
      missions: [{ type: 'MISSION', name: 'Race', programmaticCode, target: 1 }],
    };
    const [removed, created] = await Promise.all([
      service.rest('DELETE', path(id)),
      service.rest('POST', '/admin/campaigns', campaign),
    ]);
    expect([removed.status < 300, created.status < 300].filter(Boolean)).toHaveLength(1);
  });
});

test.each(['GET', 'PUT', 'DELETE'])('%s finds nothing of another client', async (method) => {
  const { id } = await newDefinition();
  const { adminToken } = await service.newTenant();
  const body = method === 'PUT' ? { version: 1, name: 'x' } : undefined;
  for (const [unknown, token] of [
    [id, adminToken],
    [newId(), service.adminToken],
  ] as const) {
    const answer = await service.rest(method, path(unknown), body, token);
    expect(answer).toMatchObject({ status: 404, body: { code: 'EVENT_DEFINITION_NOT_FOUND' } });
  }
});
