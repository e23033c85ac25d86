import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { completeReachedTargets } from '../../src/triggers/complete-reached.ts';
import { testDatabase } from '../support/database.ts';
import { onNodes } from '../support/on-nodes.ts';
import { type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';
import { settled } from '../support/settled.ts';
import { differences, newProduct, setPrice } from '../operations/rewards/provision.ts';
import type { Product } from '../../src/rewards/products/product.ts';
import { runsOf, runsOnDemand } from './runs.ts';

type Json = RestAnswer['body'];

let service: TestService;
let audienceId = '';
let points = '';
let bonus = '';
let pieces = '';
let chests = '';
let puzzle: Product;
let sweets: Product;

let other: TestService;

beforeAll(async () => {
  const database = await testDatabase();
  service = await startService({ database });
  // The first one drops the database.
  other = await startService({ database: { ...database, drop: async () => {} } });
  const created = async (path: string, body: Json): Promise<string> => (await ok('POST', path, body))['id'];
  audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  points = await created('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 });
  bonus = await created('/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 25 });
  puzzle = await newProduct(service.db, service.clientId, 'COUNTED', 1_000_000, 3);
  sweets = await newProduct(service.db, service.clientId, 'UNLIMITED');
  await setPrice(service.db, service.clientId, sweets.id, 7);
  pieces = await created('/admin/rewards', { name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId: puzzle.id });
  const chest = await created('/admin/chests', { name: 'Box', entries: [{ rewardId: pieces, weight: 1 }] });
  chests = await created('/admin/rewards', { name: 'Chests', type: 'CHEST', amount: 2, chestId: chest });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await other.close();
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** One step of an account. A number chooses among what is there. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send'), amount: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('reverse'),
      which: fc.nat(),
      part: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('buy') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('open') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lower'), by: fc.integer({ min: 1, max: 15 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A mission of the model: the target, the most rounds, and what each round pays. */
type Rule = { target: number; readonly max: number; readonly pays: 'POINTS' | 'PIECES' | 'CHESTS' };

/** The payment of one round of one mission, as far as it was not taken back. */
type Paid = { amount: number; readonly boxes: { open: boolean }[] };

/** The naive account: it adds everything up from scratch, and keeps a book of what was paid. */
class NaiveAccount {
  readonly rules: readonly Rule[];
  readonly events: { amount: number; left: number; readonly counted: (number | undefined)[] }[] = [];
  readonly paid = new Map<string, Paid>();
  closed = false;
  available = 0;
  debt = 0;
  spent = 0;
  held = 0;

  constructor(rules: readonly Rule[]) {
    this.rules = rules.map((rule) => ({ ...rule }));
  }

  sum(rule: number): number {
    return this.events.reduce((sum, { counted, left }) => sum + Math.min(counted[rule] ?? 0, left), 0);
  }

  rounds(rule: number): number {
    const { target, max } = this.rules[rule]!;
    return Math.min(Math.floor(this.sum(rule) / target), max);
  }

  progress(rule: number): number {
    const { target, max } = this.rules[rule]!;
    const rounds = this.rounds(rule);
    return rounds === max ? target : this.sum(rule) - rounds * target;
  }

  send(amount: number): void {
    const before = this.rules.map((_, index) => this.rounds(index));
    const counted = this.rules.map(({ max }, index) => (before[index]! < max ? amount : undefined));
    this.events.push({ amount, left: amount, counted });
    this.#payAfter(before);
  }

  /** Lowers the target of a mission that does not repeat. */
  lower(index: number, target: number): void {
    const before = this.rules.map((_, each) => this.rounds(each));
    this.rules[index]!.target = target;
    this.#payAfter(before);
  }

  #payAfter(before: readonly number[]): void {
    for (const index of this.rules.keys())
      for (let round = before[index]! + 1; round <= this.rounds(index); round += 1) this.#pay(index, round);
    if (this.rules.every((_, index) => this.rounds(index) > 0) && !this.closed) {
      this.closed = true;
      this.#credit(25);
    }
  }

  reverse(which: number, amount: number): void {
    const before = this.rules.map((_, index) => this.rounds(index));
    this.events[which]!.left -= amount;
    // The latest rewards go first, also those that an earlier reversal had to leave.
    for (const index of this.rules.keys()) {
      if (this.rounds(index) === before[index]) continue;
      for (let round = this.#latestPaid(index); round > this.rounds(index); round -= 1) this.#take(index, round);
    }
    if (this.closed && this.rules.some((_, index) => this.rounds(index) === 0)) {
      this.closed = false;
      this.#debit(25);
    }
  }

  buy(): boolean {
    if (this.available < 7) return false;
    this.available -= 7;
    this.spent += 7;
    return true;
  }

  /** The number of closed boxes of the account. */
  boxes(): number {
    return [...this.paid.values()].flatMap(({ boxes }) => boxes).filter(({ open }) => !open).length;
  }

  open(): void {
    // The service lists the latest first; the oldest round's boxes are opened in the order of delivery by the caller.
    this.#gain(2);
  }

  /** The latest round of a mission that was ever paid. */
  #latestPaid(index: number): number {
    const rounds = [...this.paid.keys()].filter((key) => key.startsWith(`${index} `)).map((key) => key.split(' ')[1]);
    return Math.max(...rounds.map(Number));
  }

  #pay(index: number, round: number): void {
    const { pays } = this.rules[index]!;
    const key = `${index} ${round}`;
    const had = this.paid.get(key) ?? { amount: 0, boxes: [] };
    this.paid.set(key, had);
    const whole = pays === 'POINTS' ? 10 : 2;
    const due = whole - had.amount;
    had.amount = whole;
    if (pays === 'POINTS') this.#credit(due);
    if (pays === 'PIECES') this.#gain(due);
    if (pays === 'CHESTS') for (let made = 0; made < due; made += 1) had.boxes.push({ open: false });
  }

  #take(index: number, round: number): void {
    const { pays } = this.rules[index]!;
    const had = this.paid.get(`${index} ${round}`);
    if (had === undefined) return;
    if (pays === 'POINTS') {
      this.#debit(had.amount);
      had.amount = 0;
    } else if (pays === 'PIECES') {
      const taken = Math.min(had.amount, this.held);
      this.held -= taken;
      had.amount -= taken;
    } else {
      const opened = had.boxes.filter(({ open }) => open);
      had.boxes.splice(0, had.boxes.length, ...opened);
      had.amount = opened.length;
    }
  }

  #gain(amount: number): void {
    this.held = (this.held + amount) % 3;
  }

  #credit(amount: number): void {
    const repaid = Math.min(this.debt, amount);
    this.debt -= repaid;
    this.available += amount - repaid;
  }

  #debit(amount: number): void {
    const taken = Math.min(this.available, amount);
    this.available -= taken;
    this.debt += amount - taken;
  }
}

const UNBOUNDED = 1_000_000_000;
const RULES: readonly Rule[] = [
  { target: 60, max: 1, pays: 'POINTS' },
  { target: 15, max: UNBOUNDED, pays: 'POINTS' },
  { target: 25, max: 3, pays: 'PIECES' },
  { target: 35, max: 2, pays: 'CHESTS' },
];

/** The answer of a call with an operation id, repeated until it is decided: on a busy machine a node may be lost for a while. */
async function decided(call: () => Promise<RestAnswer>): Promise<RestAnswer> {
  for (;;) {
    const answer = await settled(call);
    if (answer.body?.code !== 'DATABASE_UNAVAILABLE') return answer;
  }
}

let worlds = 0;
const catalogs = createCatalogs();

/** The code that a world's campaign counts, and the id of its first mission. */
type World = { readonly programmaticCode: string; readonly campaignId: string; readonly firstId: string };

/** A campaign with the missions of {@link RULES}, for the events of one code. */
async function newCampaign(): Promise<World> {
  worlds += 1;
  const programmaticCode = `WORLD_${worlds}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const rewardOf = { POINTS: points, PIECES: pieces, CHESTS: chests };
  const { id: campaignId, missions } = await ok('POST', '/admin/campaigns', {
    name: programmaticCode,
    audienceIds: [audienceId],
    rewardIds: [bonus],
    missions: RULES.map(({ target, max, pays }, index) => ({
      type: 'MISSION',
      name: `${index}`,
      programmaticCode,
      target,
      rewardIds: [rewardOf[pays]],
      ...(max > 1 && { repeat: max === UNBOUNDED ? {} : { max } }),
    })),
  });
  await ok('POST', `/admin/campaigns/${campaignId}/activate`);
  return { programmaticCode, campaignId, firstId: missions[0].id };
}

test('whatever is sent, bought, opened and taken back, an account has what the sums of its events say', async () => {
  const seen = { reversed: 0, refused: 0, debts: 0, reopened: 0, kept: 0, lowered: 0, reached: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: onNodes ? 15 : 40 }), async (steps) => {
      await play(await newCampaign(), steps, seen);
    }),
    runsOf({ numRuns: 30, seed: 33 }),
  );
  // Fewer runs, on a database of several nodes, need not see everything.
  if (runsOnDemand === undefined)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(3);
});

async function play(world: World, steps: readonly Step[], seen: Record<string, number>): Promise<void> {
  const { programmaticCode } = world;
  const shopper = `shopper of ${programmaticCode}`;
  const account = { accountId: shopper, idType: 'EXTERNAL' };
  const query = `${encodeURIComponent(shopper)}?idType=EXTERNAL`;
  const model = new NaiveAccount(RULES);
  const boxOf = new Map<string, { open: boolean }>();
  for (const each of steps) {
    // The first event creates the account.
    if (each.kind !== 'send' && model.events.length === 0) continue;
    if (each.kind === 'send') {
      const operationId = `${programmaticCode} ${model.events.length}`;
      const { amount } = each as { amount: number };
      const had = new Set([...model.paid.values()].flatMap(({ boxes }) => boxes));
      model.send(amount);
      await ok('POST', '/gamification/triggers', { programmaticCode, ...account, operationId, metadata: { amount } });
      // New boxes of the service belong to new boxes of the model, in the order of their rounds.
      const fresh = [...model.paid.values()].flatMap(({ boxes }) => boxes).filter((box) => !had.has(box));
      const listed = (await ok('GET', `/gamification/chests/account/${query}`)) as Json[];
      const unknown = listed.map(({ id }) => id as string).filter((id) => !boxOf.has(id));
      for (const [index, id] of unknown.toSorted().entries()) boxOf.set(id, fresh[index]!);
    } else if (each.kind === 'reverse') {
      const open = [...model.events.entries()].filter(([, { left }]) => left > 0);
      const { which, part } = each as { which: number; part: number | undefined };
      if (open.length === 0) continue;
      const [index, { left }] = open[which % open.length]!;
      const named = { programmaticCode, triggerOperationId: `${programmaticCode} ${index}` };
      const answer = await service.rest('POST', '/gamification/triggers/reversals', { ...named, amount: part });
      if (part !== undefined && part > left) {
        expect(answer).toMatchObject({ status: 409, body: { code: 'REVERSAL_TOO_LARGE' } });
        seen['refused']! += 1;
        continue;
      }
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      model.reverse(index, part ?? left);
      seen['reversed']! += 1;
      seen['reopened']! += answer.body.reopenedCampaignIds.length;
      seen['kept']! += answer.body.rewards.filter((reward: Json) => reward.amountKept > 0).length;
    } else if (each.kind === 'lower') {
      const { by } = each as { by: number };
      const target = model.rules[0]!.target - by;
      if (target < 1) continue;
      const { version } = await ok('GET', `/admin/campaigns/${world.campaignId}`);
      const reached = await ok('POST', `/admin/missions/${world.firstId}/improve`, { version, target });
      const before = model.rounds(0);
      model.lower(0, target);
      const completed = await completeReachedTargets(service.db, service.clientId, new Date(), catalogs);
      expect([reached.reachedAccounts, completed]).toEqual([model.rounds(0) - before, model.rounds(0) - before]);
      seen['lowered']! += 1;
      seen['reached']! += completed;
    } else if (each.kind === 'buy') {
      const { status } = await service.rest('POST', `/loyalty/products/${sweets.id}/redeem`, account);
      expect(status).toBe(model.buy() ? 200 : 409);
    } else {
      const listed = (await ok('GET', `/gamification/chests/account/${query}`)) as Json[];
      const closed = listed.find(({ openedAt }) => openedAt === undefined);
      if (closed === undefined) continue;
      await ok('POST', `/gamification/chests/${closed['id']}/open`, account);
      boxOf.get(closed['id'])!.open = true;
      model.open();
    }
    if (model.debt > 0) seen['debts']! += 1;
    await compare(model, query);
  }
}

async function compare(model: NaiveAccount, query: string): Promise<void> {
  const [open, completed, balance, listed, fragments] = await Promise.all([
    ok('GET', `/v1/gamification/missions/progress/${query}`),
    ok('GET', `/v1/gamification/missions/completed/${query}`),
    ok('GET', `/loyalty/accounts/${query.replace('?', '/points?')}`),
    ok('GET', `/gamification/chests/account/${query}`),
    ok('GET', `/gamification/fragments/account/${query}`),
  ]);
  const shown = new Map(
    [...(open as Json[]), ...(completed as Json[])].map(({ name, progress, status }) => [name, { progress, status }]),
  );
  const expected = model.rules.map(({ max }, index) => {
    const status = model.rounds(index) === max ? 'COMPLETED' : 'ACTIVE';
    return [`${index}`, { progress: model.progress(index), status }] as const;
  });
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  expect([balance.available, balance.debt ?? 0, balance.spent]).toEqual([model.available, model.debt, model.spent]);
  expect((listed as Json[]).filter(({ openedAt }) => openedAt === undefined)).toHaveLength(model.boxes());
  expect((fragments as Json[])[0]?.['pieces'] ?? 0).toBe(model.held);
}

test('events and reversals at the same time, by two hosts, leave what the sums say', async () => {
  const programmaticCode = 'PARALLEL';
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const mission = { type: 'MISSION', name: 'All', programmaticCode, target: 15, repeat: {}, rewardIds: [points] };
  await ok('POST', '/admin/missions', { audienceId, mission });
  const hosts = [service.rest, restAs(other.baseUrl, service)];
  const random = fc.sample(fc.integer({ min: 1, max: 30 }), { numRuns: 4_000, seed: 33 });
  let drawn = 0;
  const draw = (most: number): number => (random[drawn++ % random.length]! - 1) % most;
  const shoppers = Array.from({ length: 6 }, (_, index) => `parallel ${index}`);

  /** Sends and reverses some events of one account, each call to one of the hosts. @returns the sum that is left */
  async function work(shopper: string, worker: number): Promise<number> {
    const left: number[] = [];
    for (let index = 0; index < (onNodes ? 8 : 25); index += 1) {
      const operationId = `${shopper} ${worker} ${index}`;
      const amount = draw(30) + 1;
      const metadata = { amount };
      const event = { programmaticCode, accountId: shopper, idType: 'EXTERNAL', operationId, metadata };
      await decided(() => hosts[draw(2)]!('POST', '/gamification/triggers', event));
      left.push(amount);
      if (draw(3) === 0) continue;
      const which = draw(left.length);
      if (left[which] === 0) continue;
      const part = draw(left[which]!) + 1;
      const named = { programmaticCode, triggerOperationId: `${shopper} ${worker} ${which}`, amount: part };
      const reversal = { ...named, operationId: `${operationId} back` };
      // Sent twice at the same time, to two hosts: it takes effect once.
      const path = '/gamification/triggers/reversals';
      const answers = await Promise.all(hosts.map((rest) => decided(() => rest('POST', path, reversal))));
      expect(
        answers.map(({ status, body }) => (status === 200 ? 200 : body.code)),
        JSON.stringify(answers.map(({ body }) => body)),
      ).toEqual([200, 200]);
      expect(answers[0]!.body).toEqual(answers[1]!.body);
      left[which]! -= part;
    }
    return left.reduce((sum, each) => sum + each, 0);
  }

  const sums = await Promise.all(
    shoppers.map(async (shopper) => {
      const parts = await Promise.all([0, 1, 2].map((worker) => work(shopper, worker)));
      return parts.reduce((sum, each) => sum + each, 0);
    }),
  );
  for (const [index, shopper] of shoppers.entries()) {
    const query = `${encodeURIComponent(shopper)}?idType=EXTERNAL`;
    const [progress] = await ok('GET', `/v1/gamification/missions/progress/${query}`);
    const balance = await ok('GET', `/loyalty/accounts/${query.replace('?', '/points?')}`);
    const rounds = Math.floor(sums[index]! / 15);
    expect([progress.completions ?? 0, progress.progress]).toEqual([rounds, sums[index]! % 15]);
    expect([balance.available, balance.debt]).toEqual([10 * rounds, undefined]);
  }
});
