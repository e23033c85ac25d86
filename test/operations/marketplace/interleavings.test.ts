import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortOrLong } from '../../faults/bounds.ts';
import { findDifferences } from '../../../src/commands/verify.ts';
import { runOrders } from '../../../src/marketplace/orders/run-orders.ts';
import { closeExpiredReservations } from '../../../src/marketplace/reservations/close-expired-reservations.ts';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { type Cast, command, type Command, send, sequence } from './commands.ts';
import { naiveShop } from './naive-shop.ts';
import { groups, orderOf, outcomeOf } from './ordered.ts';
import { newAgreement, newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;
let now = new Date();

beforeAll(async () => {
  service = await startService({ clock: () => now });
});
afterAll(() => service.close());

/** Random sequences of some 15 commands. */
const RUNS = Number(process.env['SHOP_RUNS'] ?? shortOrLong(12, 100));

/** The milliseconds for one property of these sequences, with a read of the whole state after each command. */
const TIMEOUT_MS = RUNS * 4_000;

test(
  'whatever happens one after the other, the service answers and stands as a naive shop does',
  async () => {
    await fc.assert(
      fc.asyncProperty(sequence, async (commands) => {
        const { cast, agreementId } = await newShop();
        const shop = naiveShop();
        const ids: Array<string | undefined> = [];
        for (const one of commands) {
          if (one.kind === 'pass') {
            shop.pass(one.seconds);
            pass(one.seconds);
            continue;
          }
          const expected = shop.expectedAnswer(one);
          const answer = await send(service, cast, one);
          const { status, body } = answer;
          expect({ status, code: body?.code, units: unitsOf(one, answer), points: pointsOf(one, answer) }).toEqual({
            status: expected.status,
            code: expected.code,
            units: expected.units,
            points: expected.points,
          });
          ids.push(body?.id);
          notePurchase(cast, one, answer);
          if (expected.replayOf !== undefined) expect(answer.body.id).toBe(ids[expected.replayOf - 1]);
          const state = shop.state();
          const publications = await Promise.all(cast.publications.map((id) => stateOf(service, id)));
          expect(publications).toMatchObject(state.publications);
          expect((await service.rest('GET', `/admin/agreements/${agreementId}`)).body).toMatchObject(state.agreement);
          expect(await Promise.all(cast.accounts.map(spentBy))).toEqual(state.spent);
          const product = await service.rest('GET', `/admin/products/${cast.productId}`);
          expect(product.body).toMatchObject(state.product);
        }
        expect(await findDifferences(service.db)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

test(
  'whatever happens at once, stock is what was not sold, and an operation id has one effect',
  async () => {
    const batches = fc.array(fc.array(command, { minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(batches, async (rounds) => {
        const { cast } = await newShop();
        const effects = new Map<string, Set<string>>();
        for (const round of rounds) {
          const answers = await Promise.all(round.map((one) => sendOrPass(cast, one)));
          for (const [index, answer] of answers.entries()) {
            note(effects, cast, round[index]!, answer);
            if (answer) notePurchase(cast, round[index]!, answer);
          }
          expect(await findDifferences(service.db)).toEqual([]);
        }
        for (const ids of effects.values()) expect(ids.size).toBe(1);
        const rows = await effectsOf(cast);
        expect(new Set(rows)).toEqual(new Set([...effects.values()].flatMap((ids) => [...ids])));
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

test(
  'whatever is ordered at once comes to what it comes to one after the other, as a naive shop does it',
  async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (rounds) => {
        const { cast, agreementId } = await newShop();
        const shop = naiveShop();
        for (const round of rounds) {
          if (!Array.isArray(round)) {
            if (round.kind === 'pass') {
              shop.pass(round.seconds);
              pass(round.seconds);
            } else {
              shop.expectedAnswer(round);
              await send(service, cast, round);
            }
            continue;
          }
          const expected = round.map((one) => shop.expectedAnswer(one));
          const answers = await service.db.unitOfWork(service.clientId, (uow) =>
            runOrders(
              uow,
              round.map((one) => orderOf(cast, one)),
              { now },
            ),
          );
          expect(answers.map(outcomeOf)).toEqual(
            expected.map(({ code, units, points }) => (code === undefined ? { units, points } : { code })),
          );
          const state = shop.state();
          const publications = await Promise.all(cast.publications.map((id) => stateOf(service, id)));
          expect(publications).toMatchObject(state.publications);
          expect((await service.rest('GET', `/admin/agreements/${agreementId}`)).body).toMatchObject(state.agreement);
          expect(await Promise.all(cast.accounts.map(spentBy))).toEqual(state.spent);
        }
        expect(await findDifferences(service.db)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

test('a batch of sixty orders takes no more statements than one of six', async () => {
  const { cast } = await newShop();
  const kinds = ['freeze', 'redeem', 'unfreeze', 'redeem', 'freeze', 'redeem'] as const;
  const batch = (size: number) =>
    Array.from({ length: size }, (_, index) => {
      const own = { who: index % 3, what: index % 3 };
      const kind = kinds[index % kinds.length]!;
      return orderOf(cast, kind === 'freeze' ? { kind, ...own, quantity: 1, ttl: 20 } : { kind, ...own });
    });
  const counts: number[] = [];
  for (const size of [6, 60]) {
    let count = 0;
    await service.db.unitOfWork(service.clientId, (uow) => {
      const counting = Object.create(uow, {
        query: {
          value: (sql: string, values?: readonly unknown[]) => {
            count += 1;
            return uow.query(sql, values);
          },
        },
      });
      return runOrders(counting, batch(size), { now });
    });
    counts.push(count);
  }
  const [few, many] = counts as [number, number];
  expect(few).toBeGreaterThan(5);
  // Sixty sequences suffice to use reservations and to sell out a publication and an agreement, which are paused, each with webhooks.
  expect(many).toBeLessThanOrEqual(few + 10);
});

/** The shop that the naive shop models. */
async function newShop(): Promise<{ cast: Cast; agreementId: string }> {
  const product = { name: 'Mug', stockMode: 'COUNTED', stock: 14, pointsCost: 1 };
  const [agreementId, { id: productId }] = [
    await newAgreement(service, 6),
    await post(service, '/admin/products', product),
  ];
  const publications = [
    await newOffer(service, { productId, agreementId, stock: 4, pointsCost: 3 }),
    await newOffer(service, { productId, agreementId, stock: 5, pointsCost: 5 }),
    await newOffer(service, { productId, stock: 3 }),
  ];
  const run = randomUUID();
  const accounts = await Promise.all(['ada', 'ben', 'cleo'].map((name) => newWealthy(`${name} ${run}`)));
  return { agreementId, cast: { accounts, publications, productId, run, purchases: [] } };
}

/** A customer with more points than a whole shop costs; returns the external id. */
async function newWealthy(account: string): Promise<string> {
  await newCustomer(service, account);
  await post(service, `/admin/accounts/${encodeURIComponent(account)}/points/adjust`, {
    idType: 'EXTERNAL',
    amount: 1_000,
    reason: 'to spend',
  });
  return account;
}

async function spentBy(account: string): Promise<number> {
  return (await service.rest('GET', `/loyalty/accounts/${encodeURIComponent(account)}/points?idType=EXTERNAL`)).body
    .spent;
}

/** Records a purchase once, in the order of the answers. */
function notePurchase({ purchases }: Cast, one: Command, { status, body }: RestAnswer): void {
  if (one.kind === 'redeem' && status === 200 && !purchases.includes(body.id)) purchases.push(body.id);
}

function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

/** Housekeeping runs whenever time passes, between other commands. */
async function sendOrPass(cast: Cast, one: Command): Promise<RestAnswer | undefined> {
  if (one.kind !== 'pass') return send(service, cast, one);
  pass(one.seconds);
  await closeExpiredReservations(service.db, service.clientId, now);
  return undefined;
}

/** Records the reservation or redemption of an answer by its operation id, or separately without one. */
function note(effects: Map<string, Set<string>>, cast: Cast, one: Command, answer: RestAnswer | undefined): void {
  if (answer === undefined || (one.kind !== 'freeze' && one.kind !== 'redeem')) return;
  if (answer.status !== 200) {
    expect(answer.body.code).toMatch(
      /^(OUT_OF_STOCK|PUBLICATION_NOT_(PUBLISHED|FOUND)|OPERATION_ID_REUSED|OPERATION_IN_PROGRESS)$/,
    );
    return;
  }
  const key = one.op === undefined ? answer.body.id : `${one.kind} ${one.op}`;
  effects.set(key, (effects.get(key) ?? new Set()).add(answer.body.id));
}

async function effectsOf({ publications }: Cast): Promise<string[]> {
  const rows = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ id: string }>(
      `select id from redemption where source_id = any($1::uuid[])
       union all select id from reservation where publication_id = any($1::uuid[])`,
      [publications],
    ),
  );
  return rows.map(({ id }) => id);
}

function unitsOf(one: Command, { status, body }: RestAnswer): number | undefined {
  if (status !== 200) return undefined;
  if (one.kind === 'unfreeze') return body.releasedQuantity;
  return one.kind === 'freeze' || one.kind === 'redeem' ? body.quantity : undefined;
}

function pointsOf(one: Command, { status, body }: RestAnswer): number | undefined {
  return status === 200 && one.kind === 'redeem' ? body.pointsSpent : undefined;
}
