// The repeats of the Python package, against the service behind a proxy that loses, cuts, delays and doubles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomNumbers, seed, shortOrLong } from '../../faults/bounds.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import type { Fault, UnreliableProxy } from '../typescript/unreliable-proxy.ts';
import { environment, type Environment, PROTOBUFS, python, runPython } from './installed.ts';
import { unreliableGrpcProxy } from './unreliable-grpc-proxy.ts';

/** Events through the proxy; `npm run test:soak` sends 5,000. */
const CALLS = shortOrLong(500, 5_000);
const ACCOUNTS = 20;
const KINDS: readonly Fault[] = ['lost request', 'lost answer', 'cut answer', 'delayed', 'doubled', 'unavailable'];

describe.skipIf(python === undefined)('through a proxy', () => {
  let service: TestService;
  let env: Environment;
  let proxy: UnreliableProxy;
  let script: Fault[] = [];
  let random: (() => Fault) | undefined;

  beforeAll(async () => {
    [service, env] = await Promise.all([sharedService(), environment(PROTOBUFS.newest)]);
    await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 1_000_000 }] });
    proxy = await unreliableGrpcProxy(service.baseUrl, () => random?.() ?? script.shift() ?? 'none');
  }, 120_000);
  afterAll(async () => {
    await proxy?.close();
    await env?.close();
    await service?.close();
  });

  /** Runs retries.py with its client behind the proxy. */
  const run = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(
      await runPython(env.python, ['retries.py', ...args], { LAUREL_URL: proxy.url, LAUREL_KEY: service.apiKey }),
    );

  const progressOf = async (account: string): Promise<number> => {
    const { body } = await service.rest('GET', `/v1/feed/account/${account}?idType=EXTERNAL`);
    return body[0]?.progress ?? 0;
  };

  test.each(['threads', 'asyncio'])(
    `${CALLS} events of %s take effect once each, with operation ids of the caller and of the package`,
    async (kind) => {
      const next = randomNumbers(seed);
      random = () => (next() < 0.7 ? 'none' : KINDS[Math.floor(next() * KINDS.length)]!);
      proxy.faults.clear();
      const { byCaller, attempts } = (await run(kind, String(CALLS), String(ACCOUNTS))) as Record<string, number>;
      random = undefined;
      const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `${kind}-${index}`);
      expect(await Promise.all(accounts.map(progressOf))).toEqual(accounts.map(() => CALLS / ACCOUNTS));
      // The proxy did its work, and the package most of the repeats.
      for (const fault of KINDS) expect(proxy.faults.get(fault)).toBeGreaterThan(CALLS / 50);
      expect(attempts).toBeGreaterThan(CALLS * 1.1);
      expect(byCaller).toBeLessThan(CALLS / 10);
    },
    600_000,
  );

  test.each<Fault>(['lost request', 'lost answer', 'cut answer', 'doubled', 'unavailable'])(
    'an event is repeated after: %s',
    async (fault) => {
      script = [fault];
      const account = `single-${fault.replace(' ', '-')}`;
      expect(await run('one', account)).toEqual({ attempts: fault === 'doubled' ? 1 : 2 });
      expect(await progressOf(account)).toBe(3);
      expect(script).toEqual([]);
    },
  );

  test('a call that the protos mark NEVER is not repeated, and a read is', async () => {
    script = ['lost answer'];
    expect(await run('never', 'never-again')).toEqual({ code: 'INTERNAL_SERVER_ERROR', attempts: 1, exists: true });
    script = ['lost answer', 'cut answer'];
    expect(await run('read')).toEqual({ attempts: 3 });
  });

  test('a batch is repeated as a whole with the same ids, and its items keep their order', async () => {
    script = ['lost answer'];
    expect(await run('batch')).toEqual({ progress: [2, 2, 2] });
    expect(await progressOf('batch-b')).toBe(2);
  });
});
