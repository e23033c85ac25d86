import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await ok(admin('PUT', '/admin/account-attributes', { version: 1, attributes: [{ name: 'tier', type: 'STRING' }] }));
  const attributes = [{ name: 'items', type: 'NUMBER' }];
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'BUY', type: 'AMOUNT', attributes }));
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

/** The values of an event and its account, the numbers in ten-thousandths. */
type Values = { readonly amount: bigint; readonly items: bigint | undefined; readonly isGold: boolean };

/** A fraction of whole numbers; undefined if the expression has no value. */
type Fraction = readonly [numerator: bigint, denominator: bigint] | undefined;

/** Expressions, each with its value by fractions of whole numbers. */
const formulas: ReadonlyArray<readonly [expression: string, value: (values: Values) => Fraction]> = [
  [
    'event.amount * event.items',
    ({ amount, items }) => (items === undefined ? undefined : [amount * items, 10n ** 8n]),
  ],
  [
    'event.amount / event.items',
    ({ amount, items }) => (items === undefined || items === 0n ? undefined : [amount, items]),
  ],
  [
    'account.tier == "GOLD" ? event.amount * 2 : event.amount - event.items',
    ({ amount, items, isGold }) =>
      isGold ? [amount * 2n, 10_000n] : items === undefined ? undefined : [amount - items, 10_000n],
  ],
  [
    'has(event.items) ? math.ceil(event.amount) : 7.9',
    ({ amount, items }) => (items === undefined ? [79n, 10n] : [(amount + 9_999n) / 10_000n, 1n]),
  ],
];

const AMOUNT_MAX = 900n;

/** The points of the campaign's own reward. */
const CLOSING = 10;

/** The points of a value: rounded down, at most the maximum, undefined for nothing. Quotients are decided beyond their 12 decimals. */
function pointsOf(value: Fraction): number | undefined {
  if (value === undefined) return undefined;
  const [numerator, denominator] = value[1] < 0n ? [-value[0], -value[1]] : value;
  if (numerator < denominator) return undefined;
  const whole = numerator / denominator;
  return Number(whole > AMOUNT_MAX ? AMOUNT_MAX : whole);
}

const numberOf = (tenThousandths: bigint) => Number(tenThousandths) / 10_000;

const values: fc.Arbitrary<Values> = fc.record({
  amount: fc.oneof(
    fc.bigInt(100n, 2_000_000n),
    fc.bigInt(1n, 200n).map((whole) => whole * 10_000n),
  ),
  items: fc.option(
    fc.oneof(
      fc.bigInt(-50_000n, 500_000n),
      fc.bigInt(-2n, 9n).map((whole) => whole * 10_000n),
    ),
    { nil: undefined },
  ),
  isGold: fc.boolean(),
});

type Rewarded = {
  readonly rewards: readonly { rewardId: string; amount: number }[];
  readonly skippedRewards?: readonly { rewardId: string }[];
};

test('an event pays the exact amount, rounded down and at most the maximum, and its simulation shows the same', async () => {
  const ids: string[] = [];
  for (const [index, [amountExpression]] of formulas.entries()) {
    const reward = { name: `R${index}`, type: 'POINTS', amountExpression, amountMax: Number(AMOUNT_MAX) };
    ids.push((await ok(admin('POST', '/admin/rewards', reward))).id);
  }
  await newGame(service, {
    codes: {},
    adminToken: tenant.adminToken,
    missions: [{ programmaticCode: 'BUY', target: 0.01, rewardIds: ids }],
  });
  const runs = fc.sample(values, { numRuns: 200, seed: Number(process.env['LAUREL_PROPERTY_SEED'] ?? 1) });
  for (const [run, { amount, items, isGold }] of runs.entries()) {
    const attributes = { tier: isGold ? 'GOLD' : 'SILVER' };
    const account = await ok(app('POST', '/accounts', { externalId: `run-${run}`, attributes }));
    const metadata = { amount: numberOf(amount), ...(items !== undefined && { items: numberOf(items) }) };
    const event = { programmaticCode: 'BUY', accountId: account.id, metadata };
    const [simulated] = await ok(app('POST', '/gamification/triggers/simulate', event));
    const paid = await ok(app('POST', '/gamification/triggers', event));
    const expected = formulas.map(([, valueOf]) => pointsOf(valueOf({ amount, items, isGold })));
    for (const answer of [simulated, paid] as const)
      expect(shown(answer, ids), JSON.stringify(event)).toEqual(expected);
    expect(paid.skippedRewards ?? []).toEqual(simulated.skippedRewards);
    const { available } = await ok(app('GET', `/loyalty/accounts/${account.id}/points`));
    expect(available).toBe(expected.reduce<number>((sum, each) => sum + (each ?? 0), CLOSING));
  }
});

/** The amounts of an answer by reward; undefined for one that it names as skipped. */
function shown({ rewards, skippedRewards = [] }: Rewarded, ids: readonly string[]): Array<number | undefined> {
  return ids.map((id) => {
    const skipped = skippedRewards.some(({ rewardId }) => rewardId === id);
    const earned = rewards.filter(({ rewardId }) => rewardId === id).map(({ amount }) => amount);
    expect(earned).toHaveLength(skipped ? 0 : 1);
    return earned[0];
  });
}
