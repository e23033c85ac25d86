// Many calls at once: the counts are exact, the kept calls are bounded, and good calls are answered meanwhile.
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnsweredCall } from '../../../src/clients/answered-call.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import type { Database } from '../../../src/persistence/database.ts';
import { sumCalls } from '../../../src/refused-calls/call-counts.queries.ts';
import { createCallCollector } from '../../../src/refused-calls/collect-calls.ts';
import { refusedCalls } from '../../../src/refused-calls/refused-calls.queries.ts';
import { ok } from '../../support/administration.ts';
import { newClient } from '../../support/database.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const MINUTE = 60_000;
const BEGIN = Date.parse('2026-11-28T10:58:00Z');
const LIMITS = { ofKindPerMinute: 3, ofOperationPerHour: 8, ofClientPerHour: 12, waiting: 1_000 };
const CODES = ['', 'ACCOUNT_NOT_FOUND', 'RATE_LIMITED'] as const;
const ROUTES = ['laurel.v1.TriggerService/EmitTrigger', 'laurel.v1.CampaignService/ClaimCampaign'] as const;

type Step = { readonly kind: 'call'; readonly client: number; readonly route: 0 | 1; readonly code: 0 | 1 | 2 } | Other;
type Other = { readonly kind: 'later'; readonly minutes: number } | { readonly kind: 'write'; readonly fails: boolean };

const steps = fc.array(
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({
        kind: fc.constant('call' as const),
        // The second client calls so rarely that it reaches no limit.
        client: fc.nat({ max: 19 }).map((nat) => (nat === 0 ? 1 : 0)),
        route: fc.constantFrom(0 as const, 1 as const),
        code: fc.constantFrom(0 as const, 1 as const, 2 as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('later' as const), minutes: fc.constantFrom(0.3, 1, 30) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('write' as const), fails: fc.boolean() }) },
  ),
  { minLength: 50, maxLength: 250 },
);

/** The database, or one that cannot be reached. */
function reachable(db: Database, isReachable: () => boolean): Database {
  const reached = <T>(work: () => Promise<T>): Promise<T> =>
    isReachable() ? work() : Promise.reject(new DomainError('DATABASE_UNAVAILABLE', 'It is away.'));
  return {
    ...db,
    unitOfWork: (clientId, work) => reached(() => db.unitOfWork(clientId, work)),
    systemUnitOfWork: (work) => reached(() => db.systemUnitOfWork(work)),
  };
}

function callOf(
  clientId: string,
  credentialId: string,
  { route, code }: Extract<Step, { kind: 'call' }>,
): AnsweredCall {
  const failure = code === 0 ? undefined : { statusCode: 404, code: CODES[code], message: 'No.' };
  return { principal: { clientId, credentialId, role: 'INTEGRATOR' }, route: ROUTES[route], failure };
}

test('whatever calls come and writes fail, every call is counted once, and the kept ones are within the limits', async () => {
  let rare = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const clients = [await newClient(service.db), await newClient(service.db)];
      const credentialId = crypto.randomUUID();
      let [now, fails] = [BEGIN, false];
      const collector = createCallCollector({
        db: reachable(service.db, () => !fails),
        clock: () => new Date(now),
        logger: pino({ level: 'silent' }),
        limits: LIMITS,
      });
      const counted = new Map<string, number>();
      for (const step of played) {
        if (step.kind === 'later') now += step.minutes * MINUTE;
        else if (step.kind === 'call') {
          collector.observe(callOf(clients[step.client]!, credentialId, step));
          const key = `${step.client} ${step.route} ${step.code}`;
          counted.set(key, (counted.get(key) ?? 0) + 1);
        } else {
          ({ fails } = step);
          await collector.flush();
        }
      }
      fails = false;
      await collector.stop();
      const found = new Map<string, number>();
      const all = { since: new Date(0), until: new Date(now + MINUTE) };
      for (const [client, clientId] of clients.entries()) {
        const rows = await service.db.unitOfWork(clientId, (uow) => sumCalls(uow, all, 100));
        for (const { operation, calls, refused, codes } of rows) {
          const route = operation === 'TriggerService.EmitTrigger' ? 0 : 1;
          if (calls > refused) found.set(`${client} ${route} 0`, calls - refused);
          for (const each of codes) found.set(`${client} ${route} ${CODES.indexOf(each.code as never)}`, each.refused);
        }
        const kept = await service.db.unitOfWork(clientId, (uow) => refusedCalls(uow, {}, 1_000));
        const hours = Math.ceil((now - BEGIN) / (60 * MINUTE)) + 1;
        expect(kept.length).toBeLessThanOrEqual(hours * LIMITS.ofClientPerHour);
        // Refusals that reach no limit are all kept.
        const isRare = [...counted].every(
          ([key, calls]) => !key.startsWith(`${client} `) || key.endsWith(' 0') || calls <= 3,
        );
        const refused = [...counted].filter(([key]) => key.startsWith(`${client} `) && !key.endsWith(' 0'));
        if (isRare) rare += 1;
        if (isRare) expect(kept).toHaveLength(refused.reduce((sum, [, calls]) => sum + calls, 0));
      }
      expect(found).toEqual(counted);
    }),
    { numRuns: 25 },
  );
  expect(rare).toBeGreaterThan(5);
});

test('while the database is away, so many refused calls wait for it as the limit says, and all are counted', async () => {
  const clientId = await newClient(service.db);
  let isReachable = false;
  const collector = createCallCollector({
    db: reachable(service.db, () => isReachable),
    clock: () => new Date(BEGIN),
    logger: pino({ level: 'silent' }),
    limits: { ...LIMITS, waiting: 5 },
  });
  for (const route of [0, 1] as const)
    for (const code of [1, 2] as const)
      for (const again of [1, 2]) {
        collector.observe(callOf(clientId, clientId, { kind: 'call', client: 0, route, code }));
        if (again === 2) await collector.flush();
      }
  isReachable = true;
  await collector.stop();
  expect(await service.db.unitOfWork(clientId, (uow) => refusedCalls(uow, {}, 100))).toHaveLength(5);
  const all = { since: new Date(0), until: new Date(BEGIN + MINUTE) };
  const rows = await service.db.unitOfWork(clientId, (uow) => sumCalls(uow, all, 100));
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(8);
});

test('a flood of refused calls is counted to the last one, keeps few rows, and good calls are answered meanwhile', async () => {
  const tenant = await service.newTenant();
  const rest = (method: string, path: string, body?: unknown, token = tenant.apiKey) =>
    service.rest(method, path, body, path.startsWith('/admin') ? tenant.adminToken : token);
  await newGame({ rest, ...tenant }, { missions: [{ target: 1_000_000 }] });
  const event = (programmaticCode: string) => ({ programmaticCode, accountId: 'ann', idType: 'EXTERNAL' });
  let refused = 0;
  const ending = new AbortController();
  const flood = Array.from({ length: 8 }, async () => {
    while (!ending.signal.aborted) {
      expect((await rest('POST', '/gamification/triggers', event('UNKNOWN'))).status).toBe(404);
      refused += 1;
    }
  });
  for (let good = 0; good < 60; good += 1)
    expect((await rest('POST', '/gamification/triggers', event('LOGIN'))).status).toBe(200);
  ending.abort();
  await Promise.all(flood);
  expect(refused).toBeGreaterThan(100);
  const { rows } = await ok(rest('GET', '/admin/refused-calls/counts?operation=TriggerService.EmitTrigger'));
  expect(rows).toMatchObject([
    { calls: refused + 60, refused, codes: [{ code: 'EVENT_DEFINITION_NOT_FOUND', refused }] },
  ]);
  const kept = (await ok(rest('GET', '/admin/refused-calls?limit=200'))).rows.length;
  // The flood may touch two minutes.
  expect(kept).toBeGreaterThanOrEqual(20);
  expect(kept).toBeLessThanOrEqual(40);
});
