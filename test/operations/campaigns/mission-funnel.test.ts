import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { restAs, sharedService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

test('the figures of a standalone mission count accounts: members, who began, who completed', async () => {
  const { audienceId, missionIds } = await newGame(service, { audienceKind: 'MANUAL', activate: false });
  const mission = { type: 'MISSION', name: 'Alone', programmaticCode: 'LOGIN', target: 2 };
  const { id } = await ok(service.rest('POST', '/admin/missions', { audienceId, mission }));
  const accounts: string[] = [];
  for (let index = 0; index < 3; index++) accounts.push((await ok(service.rest('POST', '/accounts', {}))).id);
  await ok(service.rest('POST', `/gamification/audiences/${audienceId}/accounts/assign`, { accountIds: accounts }));
  const [completer, beginner] = accounts;
  for (const accountId of [completer, completer, beginner])
    await ok(service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId }));
  const funnel = (of: string) => service.rest('GET', `/admin/missions/${of}/funnel`);
  expect(await ok(funnel(id))).toEqual({ members: 3, started: 2, completed: 1 });

  const missing = { status: 404, body: { code: 'MISSION_NOT_FOUND' } };
  expect(await funnel(missionIds[0]!)).toMatchObject(missing);
  expect(await funnel(newId())).toMatchObject(missing);
  const other = restAs(service.baseUrl, await service.newTenant());
  expect(await other('GET', `/admin/missions/${id}/funnel`)).toMatchObject(missing);
});
