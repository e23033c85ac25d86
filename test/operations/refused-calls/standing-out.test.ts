// Where refused calls are shown beside their list: in what needs attention, and in the timeline of an account.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToCallCounts } from '../../../src/refused-calls/call-counts.queries.ts';
import { ok } from '../../support/administration.ts';
import { startService, type TestService } from '../../support/service.ts';
import { newCustomer, newOffer, post } from '../marketplace/shop.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const HOUR = 3_600_000;

/** The causes of a tenant whose calls of some hours ago were accepted and refused so often. */
async function causesAfter(...calls: readonly (readonly [hoursAgo: number, accepted: number, refused: number])[]) {
  const { clientId, adminToken } = await service.newTenant();
  const kind = { clientId, credentialId: crypto.randomUUID(), operation: 'TriggerService.EmitTrigger' };
  const counts = calls.flatMap(([hoursAgo, accepted, refused]) => {
    const hour = new Date((Math.floor(Date.now() / HOUR) - hoursAgo) * HOUR);
    return [
      { ...kind, hour, code: '', calls: accepted },
      { ...kind, hour, code: 'BAD_REQUEST', calls: refused },
    ].filter((row) => row.calls > 0);
  });
  await service.db.systemUnitOfWork((uow) => addToCallCounts(uow, counts));
  return (await ok(service.rest('GET', '/admin/statistics/attention', undefined, adminToken))).causes;
}

describe('an operation needs attention', () => {
  test('when the share of its refused calls has risen, with both shares', async () => {
    const [cause] = await causesAfter([10, 990, 10], [0, 150, 50]);
    expect(cause).toEqual({
      kind: 'CALLS_REFUSED',
      key: 'CALLS_REFUSED/TriggerService.EmitTrigger',
      severity: 'WARNING',
      since: expect.any(String),
      subject: 'TriggerService.EmitTrigger',
      count: 50,
      observed: 0.25,
      usual: 0.01,
    });
  });

  test('when it was not called before, or the hour has just ended', async () => {
    expect(await causesAfter([0, 0, 20])).toMatchObject([{ observed: 1, usual: 0 }]);
    expect(await causesAfter([1, 10, 20])).toMatchObject([{ count: 20 }]);
  });

  test.each([
    ['few calls are refused', [[0, 0, 19]]],
    ['a small share is refused', [[0, 1_000, 40]]],
    [
      'as many are refused as usual',
      [
        [10, 60, 40],
        [0, 60, 40],
      ],
    ],
    ['the refusals are of earlier hours', [[3, 0, 100]]],
  ] as const)('and none if %s', async (_name, calls) => {
    expect(await causesAfter(...calls)).toEqual([]);
  });
});

test('refused purchases and claims are in the timeline of the account, with their code, and refused events are not', async () => {
  const buyer = await newCustomer(service, 'buyer');
  const { id } = await ok(service.rest('GET', '/accounts/buyer?idType=EXTERNAL'));
  const publication = await newOffer(service, { pointsCost: 5 });
  expect((await buyer.redeem(publication)).status).toBe(409);
  const claim = { accountId: id };
  await service.rest('POST', `/gamification/campaigns/${crypto.randomUUID()}/claim`, claim);
  await service.rest('POST', '/gamification/triggers', { programmaticCode: 'UNKNOWN', accountId: id });
  // Writes what the process has collected.
  await ok(service.rest('GET', '/admin/refused-calls'));
  const timeline = (query: string) => ok(service.rest('GET', `/admin/accounts/${id}/timeline?kinds=REFUSAL&${query}`));
  const first = await timeline('limit=1');
  expect(first.rows).toMatchObject([{ kind: 'REFUSAL', refusal: { operation: 'CampaignService.ClaimCampaign' } }]);
  const second = await timeline(`limit=1&cursor=${first.nextCursor}`);
  expect(second.rows).toMatchObject([
    {
      refusal: {
        operation: 'MarketplaceService.RedeemPublication',
        code: 'INSUFFICIENT_POINTS',
        resourceId: publication,
        credentialName: expect.any(String),
      },
    },
  ]);
  expect(second.nextCursor).toBeUndefined();
  expect((await timeline(`until=${new Date(Date.now() - HOUR).toISOString()}`)).rows).toEqual([]);
  const { id: other } = await post(service, '/accounts', { externalId: 'other' }, service.apiKey);
  expect((await ok(service.rest('GET', `/admin/accounts/${other}/timeline`))).rows).toEqual([]);
});
