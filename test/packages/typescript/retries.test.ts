// The repeats of the TypeScript package, against the service behind a proxy that loses, cuts, delays and doubles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Laurel, LaurelError, type LaurelOptions } from '../../../packages/typescript/src/index.ts';
import { AccountService, FeedService, TriggerService } from '../../../packages/typescript/src/gen/v1.ts';
import { newGame } from '../../support/game.ts';
import { startTestServer } from '../../server/support.ts';
import { randomNumbers, seed, shortOrLong } from '../../faults/bounds.ts';
import { type TestService, sharedService } from '../../support/service.ts';
import { type Fault, type UnreliableProxy, unreliableProxy } from './unreliable-proxy.ts';

/** Events through the proxy; `npm run test:soak` sends 5,000. */
const CALLS = shortOrLong(500, 5_000);
const ACCOUNTS = 20;
const AT_ONCE = 16;

let service: TestService;
let proxy: UnreliableProxy;
/** The faults of the next requests to the path of a test; afterwards, and for other paths, the proxy does no harm. */
let script: Fault[] = [];
let random: (() => Fault) | undefined;

const laurelOf = (options: LaurelOptions = {}) => new Laurel({ url: proxy.url, key: service.apiKey, ...options });

beforeAll(async () => {
  service = await sharedService();
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 1_000_000 }] });
  proxy = await unreliableProxy(service.baseUrl, () => random?.() ?? script.shift() ?? 'none');
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

/** The progress of an account in the only mission. */
async function progressOf(account: string): Promise<number> {
  const [item] = await laurelOf().feed(account);
  return item?.progress ?? 0;
}

test(
  `${CALLS} events through the proxy take effect once each, with operation ids of the caller and of the package`,
  { timeout: 600_000 },
  async () => {
    const next = randomNumbers(seed);
    const kinds: readonly Fault[] = ['lost request', 'lost answer', 'cut answer', 'delayed', 'doubled', 'unavailable'];
    random = () => (next() < 0.5 ? 'none' : kinds[Math.floor(next() * kinds.length)]!);
    const laurel = laurelOf();
    const repeatedByCaller: string[] = [];
    const queue = Array.from({ length: CALLS }, (_, index) => index);
    const work = async () => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        // Every second event has an id of the package, which an error tells the caller.
        let operationId = index % 2 === 0 ? `order-${index}` : undefined;
        for (;;) {
          const account = `buyer-${index % ACCOUNTS}`;
          const outcome = await laurel.emitQuietly('PURCHASE', account, { amount: 1 }, { operationId });
          if (outcome.ok) break;
          expect(outcome.error).toMatchObject({ retryable: true, operationId: expect.any(String) });
          operationId = outcome.error.operationId;
          repeatedByCaller.push(outcome.reason);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    random = undefined;
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `buyer-${index}`);
    expect(await Promise.all(accounts.map(progressOf))).toEqual(accounts.map(() => CALLS / ACCOUNTS));
    // The proxy did its work, and the package most of the repeats.
    for (const kind of kinds) expect(proxy.faults.get(kind)).toBeGreaterThan(CALLS / 50);
    expect(repeatedByCaller.length).toBeLessThan(CALLS / 10);
  },
);

describe('one call', () => {
  test.each<Fault>(['lost request', 'lost answer', 'cut answer', 'doubled', 'unavailable'])(
    'an event is repeated after: %s',
    async (fault) => {
      script = [fault];
      const account = `single-${fault.replace(' ', '-')}`;
      let attempts = 0;
      await laurelOf({ hooks: { after: (call) => (attempts = call.attempts) } }).emit('PURCHASE', account, {
        amount: 3,
      });
      expect(attempts).toBe(fault === 'doubled' ? 1 : 2);
      expect(await progressOf(account)).toBe(3);
    },
  );

  test('a read is repeated, and a call that the protos mark NEVER is not', async () => {
    const accounts = laurelOf().client(AccountService);
    script = ['lost answer', 'cut answer'];
    expect((await accounts.listAccounts({ page: 1, limit: 1 })).page).toBe(1);
    script = ['lost answer'];
    const error = await accounts.createAccount({ externalId: 'never-again' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', attempts: 1, retryable: true });
    expect(script).toEqual([]);
    // It had been created by the call whose answer was lost.
    expect((await accounts.getAccount({ id: 'never-again' })).account?.externalId).toBe('never-again');
  });

  test('SAFE is also a write that the protos mark', async () => {
    script = ['lost answer'];
    const { items } = await laurelOf().client(FeedService).getFeed({ accountId: 'created-by-the-feed' });
    expect(items).toHaveLength(1);
  });

  test('a refusal is not repeated', async () => {
    const before = proxy.faults.get('none') ?? 0;
    await expect(laurelOf().emit('NO_SUCH_CODE', 'ada')).rejects.toMatchObject({
      code: 'EVENT_DEFINITION_NOT_FOUND',
      attempts: 1,
    });
    expect(proxy.faults.get('none')).toBe(before + 1);
  });

  test('the repeats end after the greatest number, and within the deadline', async () => {
    script = Array.from({ length: 10 }, () => 'unavailable');
    await expect(laurelOf({ retriesMax: 2 }).points('ada')).rejects.toMatchObject({ code: 'UNAVAILABLE', attempts: 3 });
    expect(script).toHaveLength(7);
    script = [];
    // A proxy that no other test uses: the last request may reach it after the call has ended.
    const down = await unreliableProxy(service.baseUrl, () => 'unavailable');
    const begun = performance.now();
    const error = await laurelOf({ url: down.url, retriesMax: 1_000, timeoutMs: 400 })
      .points('ada')
      .catch((thrown: unknown) => thrown);
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(error).toBeInstanceOf(LaurelError);
    await down.close();
  });

  test('a call that is not answered ends at its deadline', async () => {
    script = ['delayed'];
    await expect(laurelOf({ timeoutMs: 50, retriesMax: 0 }).points('ada')).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      retryable: true,
    });
  });

  test('the caller ends a call by a signal, and it is not repeated', async () => {
    const ends = new AbortController();
    script = ['delayed'];
    const points = laurelOf({ hooks: { before: () => setTimeout(() => ends.abort(), 20) } }).points('ada', {
      signal: ends.signal,
    });
    await expect(points).rejects.toMatchObject({ code: 'CANCELED', attempts: 1 });
  });
});

test('a call waits as long as the service asks, and not if its deadline would pass', async () => {
  const begun = performance.now();
  let refusals = 1;
  const busy: typeof globalThis.fetch = async (input, init) =>
    refusals-- > 0 ? new Response('busy', { status: 503, headers: { 'retry-after': '0.4' } }) : fetch(input, init);
  await laurelOf({ fetch: busy }).points('ada');
  expect(performance.now() - begun).toBeGreaterThanOrEqual(400);
  refusals = 1;
  await expect(laurelOf({ fetch: busy, timeoutMs: 300 }).points('ada')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterMs: 400,
    attempts: 1,
  });
});

test('calls beyond the rate limit of a service are all answered in the end', async () => {
  const server = await startTestServer(
    { resolveAccount: ({ externalId }) => ({ account: { externalId } }) },
    { rateLimit: { perSecond: 5, burst: 5 } },
  );
  const attempts: number[] = [];
  const limited = new Laurel({
    url: server.url,
    key: 'integrator',
    timeoutMs: 20_000,
    retriesMax: 20,
    hooks: { after: (call) => attempts.push(call.attempts) },
  });
  const calls = Array.from({ length: 12 }, (_, index) =>
    limited.client(AccountService).resolveAccount({ externalId: `limited-${index}` }),
  );
  expect(await Promise.all(calls)).toHaveLength(12);
  expect(attempts.some((count) => count > 1)).toBe(true);
  await server.close();
});

test('a batch is repeated as a whole with the same ids, and its items keep their order', async () => {
  script = ['lost answer'];
  const events = ['a', 'b', 'c'].map((name) => ({ code: 'PURCHASE', account: `batch-${name}`, amount: 2 }));
  const outcomes = await laurelOf().emitBatch(events);
  expect(outcomes.map(({ result }) => result?.progressedMissions[0]?.progress)).toEqual([2, 2, 2]);
  expect(await progressOf('batch-b')).toBe(2);
});

test('the request of the caller stays as it is, so that a second call is a second event', async () => {
  const triggers = laurelOf().client(TriggerService);
  const request = { trigger: { programmaticCode: 'PURCHASE', accountId: 'twice', metadata: { amount: 4 } } };
  await triggers.emitTrigger(request);
  await triggers.emitTrigger(request);
  expect(request.trigger).not.toHaveProperty('operationId');
  expect(await progressOf('twice')).toBe(8);
});
