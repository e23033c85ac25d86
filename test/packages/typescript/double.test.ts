// The double of the package against the service: random games of the same calls on both, which must give the same answers. Ids are compared by
// the order in which they first appear.
import { create, type DescMessage, type DescMethodUnary, toJson } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleDouble } from '../../../.ci/clients/bundle-double.ts';
import { Laurel, LaurelError } from '../../../packages/typescript/src/index.ts';
import * as admin from '../../../packages/typescript/src/gen/admin.ts';
import * as v1 from '../../../packages/typescript/src/gen/v1.ts';
import type { LaurelDouble } from '../../../packages/typescript/src/testing.ts';
import { LIMITS, randomNumbers, seed, shortOrLong } from '../../faults/bounds.ts';
import { startService, type TestService } from '../../support/service.ts';

const ZONE = 'Europe/Madrid';
const HOUR = 3_600_000;
const CALLS_IN_GAME = 80;
const CALLS = shortOrLong(240, 2_000);

let service: TestService;
let folder: string;
let Double: typeof LaurelDouble;
let now = Date.UTC(2026, 9, 20, 9);

beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, '../../../.laurel/double-'));
  [service] = await Promise.all([
    startService({ clock: () => new Date(now), journal: 'byHash' }),
    bundleDouble(folder),
  ]);
  ({ LaurelDouble: Double } = (await import(/* @vite-ignore */ join(folder, 'testing.js'))) as {
    LaurelDouble: typeof LaurelDouble;
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The same client on the service or on a double, and the ids that its answers had so far, in their order. */
type Side = { readonly laurel: Laurel; readonly ids: Map<string, string> };

/** The things that a game has made: for each, its id on both sides. */
type Known = {
  readonly audiences: Ids;
  readonly rewards: Ids;
  readonly campaigns: Ids;
  readonly missions: Ids;
  readonly accounts: Ids;
};
type Ids = string[][];

test(`answers as the service does, in ${CALLS} random calls`, { timeout: 2 * LIMITS.timeout }, async () => {
  const random = randomNumbers(seed);
  const outcomes = new Map<string, number>();
  for (let played = 0; played < CALLS; played += CALLS_IN_GAME) await play(random, outcomes);
  // A game of refusals alone would prove nothing.
  expect(outcomes.get('EmitTrigger')).toBeGreaterThan(CALLS / 8);
  expect(outcomes.get('reward earned')).toBeGreaterThan(CALLS / 50);
  if (CALLS > 240) console.log(Object.fromEntries([...outcomes].toSorted(([, a], [, b]) => b - a)));
});

test('says of a call that it does not have which one', async () => {
  const laurel = new Laurel({ transport: new Double().transport });
  const refused = laurel.reverse('BUY', 'order-1');
  await expect(refused).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED', message: /TriggerService\/ReverseTrigger/ });
});

test('two doubles know nothing of each other, and a clock that is set stands still', async () => {
  const doubles = [new Double({ now: '2026-12-24T18:00:00Z' }), new Double()];
  const [first, second] = doubles.map(({ transport }) => new Laurel({ transport }));
  await first!
    .client(admin.EventDefinitionAdminService)
    .createEventDefinition({ programmaticCode: 'A', type: v1.EventDefinition_Type.SINGLE });
  await first!.emit('A', 'ada');
  await expect(second!.emit('A', 'ada')).rejects.toMatchObject({ code: 'EVENT_DEFINITION_NOT_FOUND' });
  doubles[0]!.pass(HOUR);
  expect(doubles[0]!.now.toISOString()).toBe('2026-12-24T19:00:00.000Z');
  expect(() => (doubles[0]!.now = 'tomorrow')).toThrow(TypeError);
});

async function play(random: () => number, outcomes: Map<string, number>): Promise<void> {
  const tenant = await service.newTenant(ZONE);
  const double = new Double({ now: new Date(now), timeZone: ZONE });
  const laurels = [
    new Laurel({ url: service.baseUrl, key: tenant.adminToken, retriesMax: 0 }),
    new Laurel({ transport: double.transport, retriesMax: 0 }),
  ];
  const sides = laurels.map((laurel): Side => ({ laurel, ids: new Map() }));
  const known: Known = { audiences: [], rewards: [], campaigns: [], missions: [], accounts: [] };
  const upTo = (count: number) => Math.floor(random() * count);
  const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)]!;
  const history: string[] = [];

  /** Makes one call on both sides and compares the answers. @returns the answers, undefined for an error */
  async function both<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    requestOf: (side: number) => object,
  ): Promise<Json[] | undefined> {
    const answers = await Promise.all(sides.map((side, index) => answerOf(side, method, requestOf(index))));
    const [ofService, ofDouble] = answers.map(({ shown }) => shown);
    const name = method.name;
    history.push(
      `${name} ${JSON.stringify(requestOf(0), (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}`,
    );
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    if (answers[0]!.code !== undefined) outcomes.set(answers[0]!.code, (outcomes.get(answers[0]!.code) ?? 0) + 1);
    const earned = /"rewards":\[\{"id/.test(JSON.stringify(ofService)) && name.startsWith('Emit');
    if (earned) outcomes.set('reward earned', (outcomes.get('reward earned') ?? 0) + 1);
    expect(ofDouble, `seed ${seed}, after\n${history.join('\n')}\n`).toEqual(ofService);
    return answers[0]!.message && answers.map(({ message }) => message!);
  }

  function keep(ids: Ids, answers: Json[] | undefined, idOf: (answer: Json) => string | undefined): void {
    if (answers !== undefined) ids.push(answers.map((answer) => idOf(answer) ?? ''));
  }

  const { createEventDefinition } = admin.EventDefinitionAdminService.method;
  const define = (programmaticCode: string, type: v1.EventDefinition_Type, attributes: object[] = []) =>
    both(createEventDefinition, () => ({ programmaticCode, type, attributes }));
  await define('BUY', v1.EventDefinition_Type.AMOUNT);
  await define('VISIT', v1.EventDefinition_Type.SINGLE);
  await define('ORDER', v1.EventDefinition_Type.AMOUNT, [{ name: 'shop', type: v1.AttributeDefinition_Type.STRING }]);
  const everyone = { name: 'Everyone', kind: v1.Audience_Kind.EVERYONE };
  const { createAudience } = admin.AudienceAdminService.method;
  keep(known.audiences, await both(createAudience, () => everyone), ({ audience }) => audience.id);
  const mugs = { name: 'Mug', stockMode: admin.Product_StockMode.COUNTED, stock: 2 };
  const products = (await both(admin.ProductAdminService.method.createProduct, () => mugs))!;
  const { createReward } = admin.RewardAdminService.method;
  const rewards: ((side: number) => object)[] = [
    () => ({ name: 'Points', type: v1.Reward_Type.POINTS, amount: 50 }),
    () => ({ name: 'Short', type: v1.Reward_Type.POINTS, amount: 7.5, expiresInDays: 1 }),
    (side) => ({ name: 'Mug', type: v1.Reward_Type.PRODUCTS, amount: 1, productId: products[side]!['product'].id }),
    () => ({ name: 'Badge', type: v1.Reward_Type.BADGE, amount: 1 }),
    () => ({ name: 'Share', type: v1.Reward_Type.POINTS, amountExpression: 'event.amount * 0.1', amountMax: 20 }),
  ];
  for (const reward of rewards) keep(known.rewards, await both(createReward, reward), (answer) => answer.reward.id);

  /** A draft of a mission; some are refused. */
  function missionDraft(): (side: number) => object {
    const { MISSION, CHALLENGE, STREAK, ROUTINE } = v1.Mission_Type;
    const code = oneOf(['BUY', 'BUY', 'VISIT', 'ORDER']);
    const kinds: object[] = [
      { type: MISSION, target: oneOf([1, 2, 10]) },
      { type: MISSION, target: oneOf([1, 10]), repeat: oneOf([{}, { max: 3 }]) },
      { type: CHALLENGE, target: oneOf([2, 30]), durationDays: 1 },
      { type: STREAK, target: 2, period: v1.Mission_Period.DAY, gracePeriods: upTo(2) },
      { type: STREAK, endless: true, period: v1.Mission_Period.DAY, milestones: [{ length: 2, rewardIds: [] }] },
      { type: ROUTINE, target: oneOf([1, 10]), period: v1.Mission_Period.DAY, occurrences: oneOf([2, undefined]) },
    ];
    const conditions = oneOf<object | undefined>([
      ...[undefined, undefined, undefined, { minAmount: 5 }, { maxAmount: 30 }, { cooldownMinutes: 60 }],
      ...[
        { maxPerPeriod: 20 },
        code === 'ORDER' ? { expression: "event.shop == 'north'" } : undefined,
        { timeFrom: '08:00', timeTo: '20:00' },
      ],
    ]);
    const prerequisite = random() < 0.15 && known.missions.length > 0 ? oneOf(known.missions) : undefined;
    const given = random() < 0.8 ? [oneOf(known.rewards)] : [];
    const name = oneOf(['Spend', 'Come', 'Keep on']);
    const draft = { ...oneOf(kinds), name, programmaticCode: random() < 0.05 ? 'NONE' : code, description: 'words' };
    return (side) => ({
      ...draft,
      rewardIds: given.map((ids) => ids[side]!),
      conditions: prerequisite ? { ...conditions, prerequisiteMissionIds: [prerequisite[side]!] } : conditions,
    });
  }

  /** The account of a call: an external id, or now and then an internal one. */
  function account(): (side: number) => { accountId: string; idType: v1.Account_IdType } {
    const internal = random() < 0.1 && known.accounts.length > 0 ? oneOf(known.accounts) : undefined;
    const name = oneOf(['ada', 'ada', 'bob', 'eve']);
    const { INTERNAL, EXTERNAL } = v1.Account_IdType;
    return (side) =>
      internal ? { accountId: internal[side]!, idType: INTERNAL } : { accountId: name, idType: EXTERNAL };
  }

  /** An event; some are refused. */
  function trigger(): (side: number) => object {
    const of = account();
    const code = oneOf(['BUY', 'BUY', 'BUY', 'VISIT', 'VISIT', 'ORDER', 'ORDER', 'NOPE']);
    const amount = oneOf([1, 5, 12.5, 40, 0.3333, 100]);
    const metadata =
      random() < 0.05
        ? { amount: 'much' }
        : code === 'VISIT'
          ? {}
          : code === 'ORDER'
            ? { amount, shop: oneOf(['north', 'south']) }
            : { amount };
    const operationId = random() < 0.3 ? `order-${upTo(12)}` : '';
    const late = random() < 0.1 ? oneOf([-26, -3, 2]) : 0;
    const occurredAt = late === 0 ? undefined : timestampFromMs(now + late * HOUR);
    return (side) => ({ ...of(side), programmaticCode: code, metadata, operationId, occurredAt });
  }

  const { FeedService, AccountService, LoyaltyService, TriggerService } = v1;
  const campaignCall = async (method: DescMethodUnary) => {
    if (known.campaigns.length === 0) return;
    const ids = oneOf(known.campaigns);
    await both(method, (side) => ({ id: ids[side]! }));
  };
  const filters = (field: string, value: string) => ({
    filters: [{ field, value: { kind: { case: 'stringValue', value } } }],
  });
  const moves: [weight: number, move: () => Promise<unknown>][] = [
    [24, () => emit()],
    [6, () => emitBatch()],
    [5, () => pass()],
    [4, () => createCampaign()],
    [2, () => createMission()],
    [1, () => campaignCall(admin.CampaignAdminService.method.pauseCampaign)],
    [1, () => campaignCall(admin.CampaignAdminService.method.activateCampaign)],
    [0.5, () => campaignCall(admin.CampaignAdminService.method.endCampaign)],
    [1, () => campaignCall(admin.CampaignAdminService.method.getCampaign)],
    [6, () => read(FeedService.method.getFeed)],
    [2, () => read(FeedService.method.listMissionProgress)],
    [2, () => read(FeedService.method.listCompletedMissions)],
    [3, () => read(FeedService.method.listEarnedRewards)],
    [4, () => readPoints(LoyaltyService.method.getPoints)],
    [2, () => readPoints(LoyaltyService.method.listPointEntries)],
    [2, () => resolve()],
    [1, () => createAccount()],
    [1, () => rename()],
    [0.7, () => remove()],
    [1, () => define(oneOf(['BUY', 'NEW']), v1.EventDefinition_Type.SINGLE)],
    [0.5, () => both(createReward, () => ({ name: 'Half', type: v1.Reward_Type.BADGE, amount: 0.5 }))],
    [0.5, () => both(TriggerService.method.listEventDefinitions, () => ({}))],
  ];
  async function createAccount(): Promise<void> {
    const externalId = oneOf(['ada', 'zoe', '']);
    await both(AccountService.method.createAccount, () => ({ externalId }));
  }

  async function emit(): Promise<void> {
    const sent = trigger();
    await both(TriggerService.method.emitTrigger, (side) => ({ trigger: sent(side) }));
  }

  async function emitBatch(): Promise<void> {
    const sent = Array.from({ length: 1 + upTo(4) }, trigger);
    await both(TriggerService.method.emitTriggerBatch, (side) => ({ triggers: sent.map((each) => each(side)) }));
  }

  async function pass(): Promise<void> {
    now += Math.round(random() * 30 * HOUR);
    double.now = new Date(now);
    history.push(`now ${new Date(now).toISOString()}`);
  }

  async function createCampaign(): Promise<void> {
    const missions = Array.from({ length: 1 + upTo(3) }, missionDraft);
    const { CampaignAdminService } = admin;
    const given = random() < 0.5 ? [oneOf(known.rewards)] : [];
    const claimPolicy = oneOf([1, 1, 2]) as v1.Campaign_ClaimPolicy;
    const made = await both(CampaignAdminService.method.createCampaign, (side) => ({
      campaign: {
        name: 'Campaign',
        claimPolicy,
        audienceIds: [known.audiences[0]![side]!],
        rewardIds: given.map((ids) => ids[side]!),
        missions: missions.map((draft) => draft(side)),
      },
    }));
    if (made === undefined) return;
    keep(known.campaigns, made, ({ campaign }) => campaign.id);
    keep(known.missions, made, ({ campaign }) => campaign.missions[0].id);
    const ids = known.campaigns.at(-1)!;
    await both(CampaignAdminService.method.activateCampaign, (side) => ({ id: ids[side]! }));
  }

  async function createMission(): Promise<void> {
    const draft = missionDraft();
    const made = await both(admin.MissionAdminService.method.createMission, (side) => ({
      mission: draft(side),
      audienceId: known.audiences[0]![side]!,
    }));
    keep(known.missions, made, ({ mission }) => mission.id);
  }

  async function read(method: DescMethodUnary): Promise<void> {
    const of = account();
    const wanted = random() < 0.3 ? filters('status', oneOf(['ACTIVE', 'COMPLETED', 'DELIVERED', 'NONE'])) : undefined;
    await both(method, (side) => ({ ...of(side), filters: wanted }));
  }

  async function readPoints(method: DescMethodUnary): Promise<void> {
    const of = account();
    await both(method, (side) => ({ id: of(side).accountId, idType: of(side).idType }));
  }

  async function resolve(): Promise<void> {
    const externalId = oneOf(['ada', 'bob', 'eve', 'zoe']);
    const made = await both(AccountService.method.resolveAccount, () => ({ externalId }));
    keep(known.accounts, made, (answer) => answer.account.id);
  }

  async function rename(): Promise<void> {
    const of = account();
    const changes = oneOf([
      { name: 'Ada L.' },
      { timeZone: 'Asia/Tokyo' },
      { timeZone: 'Mars' },
      { externalId: 'bob' },
    ]);
    const { method } = AccountService;
    await both(method.updateAccount, (side) => ({ id: of(side).accountId, idType: of(side).idType, account: changes }));
    await both(method.getAccount, (side) => ({ id: of(side).accountId, idType: of(side).idType }));
  }

  async function remove(): Promise<void> {
    const of = account();
    await both(AccountService.method.deleteAccount, (side) => ({ id: of(side).accountId, idType: of(side).idType }));
  }

  const total = moves.reduce((sum, [weight]) => sum + weight, 0);
  for (let made = 0; made < 2; made += 1) await createCampaign();
  while (history.length < CALLS_IN_GAME) {
    let left = random() * total;
    const [, move] = moves.find(([weight]) => (left -= weight) < 0)!;
    await move();
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers as their readers would.
type Json = any;

type Answer = {
  readonly message: Json;
  readonly code: string | undefined;
  readonly shown: unknown;
};

async function answerOf(side: Side, method: DescMethodUnary, request: object): Promise<Answer> {
  const client = side.laurel.client(method.parent) as unknown as Record<string, (sent: object) => Promise<Json>>;
  try {
    const message = await client[method.localName]!(create(method.input, request as never));
    return { message, code: undefined, shown: comparable(toJson(method.output, message as never), side.ids) };
  } catch (error) {
    if (!(error instanceof LaurelError)) throw error;
    const { code, message, details } = error;
    return { message: undefined, code, shown: comparable({ code, message, details }, side.ids) };
  }
}

/** Ids of rows, and operation ids that the client makes. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;

/** An answer with the numbers of ids by their first appearance. Times of rows of definitions are those of the database's clock. */
function comparable(answer: unknown, ids: Map<string, string>): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) => {
    if (
      name === 'campaign' ||
      name === 'product' ||
      name === 'audience' ||
      name === 'eventDefinition' ||
      name === 'mission'
    ) {
      const { createdAt: _, updatedAt: __, ...rest } = value as Record<string, unknown>;
      return rest;
    }
    // Rows of the same moment have no order.
    return name === 'assignments' ? (value as Record<string, string>[]).toSorted(byStart) : value;
  });
  return JSON.parse(text.replaceAll(ID, (id) => ids.get(id) ?? (ids.set(id, `#${ids.size}`), ids.get(id)!)));
}

function byStart(a: Record<string, string>, b: Record<string, string>): number {
  const key = (row: Record<string, string>) =>
    [row['startedAt'], row['name'], row['progress'], row['periodKey'], row['target']].join(' ');
  return key(a) < key(b) ? -1 : 1;
}
