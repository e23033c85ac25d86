// Accounts that are merged in any order, against a naive model that adds everything up from scratch.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differences, newProduct, setPrice } from '../operations/rewards/provision.ts';
import { type RestAnswer, startService, type TestService } from '../support/service.ts';
import { runsOf, runsOnDemand } from './runs.ts';

type Json = RestAnswer['body'];
type How = 'MAX' | 'SUM';

let service: TestService;
let audienceId = '';
let points = '';
let bonus = '';
let pieces = '';
let puzzleId = '';
let sweetsId = '';

beforeAll(async () => {
  service = await startService();
  const created = async (path: string, body: Json): Promise<string> => (await ok('POST', path, body))['id'];
  audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  points = await created('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 10 });
  bonus = await created('/admin/rewards', { name: 'Bonus', type: 'POINTS', amount: 25 });
  puzzleId = (await newProduct(service.db, service.clientId, 'COUNTED', 1_000_000, 3)).id;
  const sweets = await newProduct(service.db, service.clientId, 'UNLIMITED');
  await setPrice(service.db, service.clientId, sweets.id, 7);
  sweetsId = sweets.id;
  pieces = await created('/admin/rewards', { name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId: puzzleId });
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

async function ok(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await service.rest(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** A mission of the model: the target, the most rounds, and what each round pays. */
type Rule = { readonly target: number; readonly max: number; readonly pays: 'POINTS' | 'PIECES' };

const UNBOUNDED = 1_000_000_000;
const RULES: readonly Rule[] = [
  { target: 20, max: 1, pays: 'POINTS' },
  { target: 15, max: UNBOUNDED, pays: 'POINTS' },
  { target: 25, max: 3, pays: 'PIECES' },
];

/** The naive account: a sum for each mission, and what it got. */
class NaiveAccount {
  readonly sums: number[];
  closed = false;
  available = 0;
  earned = 0;
  spent = 0;
  pieces = 0;
  units = 0;
  rewards = 0;

  constructor(from?: NaiveAccount) {
    this.sums = from ? [...from.sums] : RULES.map(() => 0);
    if (from) Object.assign(this, from, { sums: [...from.sums] });
  }

  rounds(rule: number): number {
    const { target, max } = RULES[rule]!;
    return Math.min(Math.floor(this.sums[rule]! / target), max);
  }

  progress(rule: number): number {
    const { target, max } = RULES[rule]!;
    const rounds = this.rounds(rule);
    return rounds === max ? target : this.sums[rule]! - rounds * target;
  }

  send(amount: number): void {
    const before = RULES.map((_, index) => this.rounds(index));
    for (const [index, { max }] of RULES.entries()) if (before[index]! < max) this.sums[index]! += amount;
    this.#payFrom(before);
  }

  buy(): boolean {
    if (this.available < 7) return false;
    this.available -= 7;
    this.spent += 7;
    return true;
  }

  /** Takes over what another account has. */
  merge(other: NaiveAccount, how: How): void {
    const rounds = RULES.map((_, index) => [this.rounds(index), other.rounds(index)] as const);
    for (const index of RULES.keys()) {
      const [own, theirs] = [this.sums[index]!, other.sums[index]!];
      this.sums[index] = how === 'SUM' ? own + theirs : Math.max(own, theirs);
    }
    this.available += other.available;
    this.earned += other.earned;
    this.spent += other.spent;
    this.units += other.units;
    this.rewards += other.rewards;
    this.closed ||= other.closed;
    this.#gain(other.pieces);
    // A round that both were paid for counts as paid twice.
    this.#payFrom(rounds.map(([own, theirs], index) => Math.min(own + theirs, RULES[index]!.max)));
  }

  #payFrom(before: readonly number[]): void {
    for (const [index, { pays }] of RULES.entries())
      for (let round = before[index]! + 1; round <= this.rounds(index); round += 1) {
        this.rewards += 1;
        if (pays === 'POINTS') this.#credit(10);
        else this.#gain(2);
      }
    if (this.closed || RULES.some((_, index) => this.rounds(index) === 0)) return;
    this.closed = true;
    this.rewards += 1;
    this.#credit(25);
  }

  #credit(amount: number): void {
    this.available += amount;
    this.earned += amount;
  }

  #gain(amount: number): void {
    this.pieces += amount;
    this.units += Math.floor(this.pieces / 3);
    this.pieces %= 3;
  }

  shown() {
    const { available, earned, spent, pieces: held, units, rewards } = this;
    const missions = RULES.map(({ max }, index) => [
      `${index}`,
      { progress: this.progress(index), status: this.rounds(index) === max ? 'COMPLETED' : 'ACTIVE' },
    ]);
    const begun = missions.filter((_, index) => this.sums[index]! > 0);
    return { missions: Object.fromEntries(begun), available, earned, spent, pieces: held, units, rewards };
  }
}

/** The account as the service shows it, in the form of the model. */
async function shown(accountId: string): Promise<unknown> {
  const query = `${encodeURIComponent(accountId)}?idType=EXTERNAL`;
  const [open, completed, balance, held, redemptions, rewards] = await Promise.all([
    ok('GET', `/v1/gamification/missions/progress/${query}`),
    ok('GET', `/v1/gamification/missions/completed/${query}`),
    ok('GET', `/loyalty/accounts/${query.replace('?', '/points?')}`),
    ok('GET', `/gamification/fragments/account/${query}`),
    ok('GET', `/redemptions/${query}`),
    ok('GET', `/v1/gamification/missions/my-rewards/${query}`),
  ]);
  const units = (redemptions as Json[]).filter(({ product }) => product.id === puzzleId);
  return {
    missions: Object.fromEntries(
      [...(open as Json[]), ...(completed as Json[])].map(({ name, progress, status }) => [name, { progress, status }]),
    ),
    available: balance.available,
    earned: balance.lifetimeEarned,
    spent: balance.spent,
    pieces: (held as Json[])[0]?.['pieces'] ?? 0,
    units: units.reduce((sum, { quantity }) => sum + quantity, 0),
    rewards: (rewards as Json[]).length,
  };
}

let worlds = 0;

/** A campaign with the missions of {@link RULES}, for the events of one code. */
async function newCampaign(): Promise<string> {
  worlds += 1;
  const programmaticCode = `MERGED_${worlds}`;
  await ok('POST', '/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const { id } = await ok('POST', '/admin/campaigns', {
    name: programmaticCode,
    audienceIds: [audienceId],
    rewardIds: [bonus],
    missions: RULES.map(({ target, max, pays }, index) => ({
      type: 'MISSION',
      name: `${index}`,
      programmaticCode,
      target,
      rewardIds: [pays === 'POINTS' ? points : pieces],
      ...(max > 1 && { repeat: max === UNBOUNDED ? {} : { max } }),
    })),
  });
  await ok('POST', `/admin/campaigns/${id}/activate`);
  return programmaticCode;
}

const PEOPLE = 4;

/** One step: an event, a purchase, a merge of one account into another, or an undo of the latest merge. */
const step = fc.record({
  kind: fc.constantFrom('send', 'send', 'send', 'send', 'buy', 'merge', 'undo'),
  who: fc.nat(PEOPLE - 1),
  into: fc.nat(PEOPLE - 1),
  amount: fc.integer({ min: 1, max: 30 }),
  how: fc.constantFrom<How>('MAX', 'SUM'),
});

test('whatever is sent, bought, merged and undone, the accounts have what the naive model says', async () => {
  const seen = { merged: 0, paid: 0, undone: 0, refused: 0, chained: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 45 }), async (steps) => {
      await play(await newCampaign(), steps, seen);
    }),
    runsOf({ numRuns: 25, seed: 33 }),
  );
  if (runsOnDemand === undefined)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(3);
});

type Undoable = { id: string; into: number; people: number[]; before: NaiveAccount[]; touched: boolean; paid: boolean };

async function play(
  programmaticCode: string,
  steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  seen: Record<string, number>,
): Promise<void> {
  const nameOf = (who: number) => `${programmaticCode} ${who}`;
  const ref = (who: number) => ({ accountId: nameOf(who), idType: 'EXTERNAL' });
  for (let who = 0; who < PEOPLE; who += 1) await ok('POST', '/accounts/resolve', { externalId: nameOf(who) });
  // The account that each name reaches.
  const reaches = Array.from({ length: PEOPLE }, (_, who) => who);
  const models = reaches.map(() => new NaiveAccount());
  const merges: Undoable[] = [];
  const touch = (who: number) => {
    for (const merge of merges) if (reaches[merge.into] === reaches[who]) merge.touched = true;
  };
  for (const { kind, who, into, amount, how } of steps) {
    const model = models[reaches[who]!]!;
    if (kind === 'send') {
      const counts = RULES.some(({ max }, index) => model.rounds(index) < max);
      model.send(amount);
      await ok('POST', '/gamification/triggers', { programmaticCode, ...ref(who), metadata: { amount } });
      if (counts) touch(who);
    } else if (kind === 'buy') {
      const { status } = await service.rest('POST', `/loyalty/products/${sweetsId}/redeem`, ref(who));
      const isSold = model.buy();
      expect(status).toBe(isSold ? 200 : 409);
      if (isSold) touch(who);
    } else if (kind === 'merge') {
      const body = { intoAccountId: nameOf(into), idType: 'EXTERNAL', progress: how };
      const path = `/accounts/${encodeURIComponent(nameOf(who))}/merge`;
      if (reaches[who] === reaches[into]) {
        expect((await service.rest('POST', path, body)).status).toBe(400);
        continue;
      }
      const rehearsed = await ok('POST', path, { ...body, dryRun: true });
      const { mergeId, ...done } = await ok('POST', path, body);
      expect(done.rewards.length).toBe(rehearsed.rewards.length);
      const [from, survivor] = [reaches[who]!, reaches[into]!];
      const before = models.map((each) => new NaiveAccount(each));
      const people = [...reaches.keys()].filter((each) => reaches[each] === from);
      models[survivor]!.merge(models[from]!, how);
      const paid = models[survivor]!.rewards > before[from]!.rewards + before[survivor]!.rewards;
      const combined = models[survivor]!.units > before[from]!.units + before[survivor]!.units;
      if (people.length > 1) seen['chained']! += 1;
      for (const each of people) reaches[each] = survivor;
      for (const merge of merges) if (reaches[merge.into] === survivor) merge.touched = true;
      merges.push({ id: mergeId, into: survivor, people, before, touched: false, paid: paid || combined });
      seen['merged']! += 1;
      if (paid) seen['paid']! += 1;
      expect(done.rewards.length > 0).toBe(paid);
    } else {
      const last = merges.at(-1);
      if (last === undefined) continue;
      const path = `/accounts/${encodeURIComponent(nameOf(last.people[0]!))}/merges/${last.id}/undo`;
      const answer = await service.rest('POST', path, { idType: 'EXTERNAL' });
      if (last.touched || last.paid) {
        expect(answer, JSON.stringify(answer.body)).toMatchObject({
          status: 409,
          body: { code: 'MERGE_NOT_UNDOABLE' },
        });
        seen['refused']! += 1;
        continue;
      }
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      merges.pop();
      const from = [...models.keys()].find((each) => each !== last.into && last.people.includes(each))!;
      models[last.into] = last.before[last.into]!;
      models[from] = last.before[from]!;
      for (const each of last.people) reaches[each] = from;
      seen['undone']! += 1;
    }
  }
  for (let each = 0; each < PEOPLE; each += 1)
    expect(await shown(nameOf(each)), nameOf(each)).toEqual(models[reaches[each]!]!.shown());
}

test('accounts that are merged in any order have the same', async () => {
  const amounts = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }), { minLength: 3, maxLength: 4 });
  const order = fc.infiniteStream(fc.nat());
  await fc.assert(
    fc.asyncProperty(amounts, order, order, fc.constantFrom<How>('MAX', 'SUM'), async (sent, one, other, how) => {
      const results: unknown[] = [];
      const programmaticCode = await newCampaign();
      for (const [index, choices] of [one, other].entries()) {
        const nameOf = (who: number) => `${programmaticCode} ${index} ${who}`;
        for (const [who, events] of sent.entries()) {
          await ok('POST', '/accounts/resolve', { externalId: nameOf(who) });
          for (const amount of events) {
            const event = { programmaticCode, accountId: nameOf(who), idType: 'EXTERNAL', metadata: { amount } };
            await ok('POST', '/gamification/triggers', event);
          }
        }
        const apart = [...sent.keys()];
        while (apart.length > 1) {
          const from = apart.splice(choices.next().value! % apart.length, 1)[0]!;
          const into = apart[choices.next().value! % apart.length]!;
          const body = { intoAccountId: nameOf(into), idType: 'EXTERNAL', progress: how };
          await ok('POST', `/accounts/${encodeURIComponent(nameOf(from))}/merge`, body);
        }
        results.push(await shown(nameOf(0)));
      }
      expect(results[0]).toEqual(results[1]);
    }),
    runsOf({ numRuns: 20, seed: 34 }),
  );
});
