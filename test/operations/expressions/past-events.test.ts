import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const admin = (path: string, body: object): Promise<{ readonly id: string }> =>
  ok(service.rest('POST', path, body, tenant.adminToken));

beforeEach(async () => {
  tenant = await service.newTenant();
  await admin('/admin/event-definitions', {
    programmaticCode: 'ORDER',
    type: 'SINGLE',
    attributes: [
      { name: 'category', type: 'STRING' },
      { name: 'price', type: 'NUMBER' },
    ],
  });
});

/** Orders of one account: so many with a price of 5, and so many without a price. */
async function order(priced: number, unpriced: number, occurredAt?: string): Promise<void> {
  const triggers = Array.from({ length: priced + unpriced }, (_, index) => ({
    programmaticCode: 'ORDER',
    accountId: 'ada',
    idType: 'EXTERNAL',
    metadata: { category: 'tea', ...(index < priced && { price: 5 }) },
    occurredAt,
  }));
  for (let first = 0; first < triggers.length; first += 100)
    await ok(
      service.rest(
        'POST',
        '/gamification/triggers/batch',
        { triggers: triggers.slice(first, first + 100) },
        tenant.apiKey,
      ),
    );
}

const newMission = (expression: string, activate: boolean) =>
  newGame(service, {
    codes: {},
    missions: [{ name: 'Dear orders', programmaticCode: 'ORDER', target: 1_000_000, conditions: { expression } }],
    activate,
    adminToken: tenant.adminToken,
  });

describe('"Needs attention"', () => {
  const lacking = async () => {
    const { causes } = await ok(service.rest('GET', '/admin/statistics/attention', undefined, tenant.adminToken));
    return causes.filter(({ kind }: { readonly kind: string }) => kind === 'CONDITION_LACKING');
  };

  test('names a mission whose condition lacked an attribute in more than 1 % of its events', async () => {
    const { campaignId, missionIds } = await newMission('event.price > 3', true);
    await order(196, 4);
    const [missionId] = missionIds;
    expect(await lacking()).toEqual([
      {
        ...{ kind: 'CONDITION_LACKING', key: `CONDITION_LACKING/${missionId}`, severity: 'WARNING' },
        ...{ subjectId: missionId, subject: 'Dear orders', campaignId, count: 4 },
      },
    ]);
  });

  test('leaves out a mission that lacked one in 1 % or less', async () => {
    await newMission('event.price > 3', true);
    await order(198, 2);
    expect(await lacking()).toEqual([]);
  });

  test('judges no mission by fewer than a hundred events, nor by those from before it began', async () => {
    await order(0, 100, new Date(Date.now() - 120_000).toISOString());
    await newMission('event.price > 3', true);
    await order(95, 4);
    expect(await lacking()).toEqual([]);
  });

  test('leaves out a mission whose condition does not need the attribute, and one that has ended', async () => {
    await newMission('has(event.price) && event.price > 3', true);
    const { campaignId } = await newMission('event.price > 3', true);
    await order(90, 20);
    await admin(`/admin/campaigns/${campaignId}/end`, {});
    expect(await lacking()).toEqual([]);
  });

  test('has nothing of another client', async () => {
    await newMission('event.price > 3', true);
    await order(90, 20);
    tenant = await service.newTenant();
    expect(await lacking()).toEqual([]);
  });
});

describe('the preview of an activation', () => {
  const warningsOf = async (expression: string) => {
    const { campaignId } = await newMission(expression, false);
    const path = `/admin/campaigns/${campaignId}/activation-preview`;
    const { warnings } = await ok(service.rest('GET', path, undefined, tenant.adminToken));
    return warnings
      .filter(({ field }: { readonly field: string }) => field.startsWith('missions'))
      .map(({ field, message }: { readonly field: string; readonly message: string }) => [field, message]);
  };

  test('warns of a condition that none of the last events met', async () => {
    await order(3, 0);
    expect(await warningsOf('event.category == "coffee"')).toEqual([
      [
        'missions[0].conditions.expression',
        "'Dear orders' would have counted none of the 3 events ORDER of the last 7 days: its condition held for none of them. Check it in the journal.",
      ],
    ]);
  });

  test('has no warning where one event met it, where no event can be judged, and without events', async () => {
    expect(await warningsOf('event.category == "coffee"')).toEqual([]);
    await order(2, 1);
    expect(await warningsOf('event.price == 5')).toEqual([]);
  });
});
