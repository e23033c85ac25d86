import { Registry } from 'prom-client';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealEntries } from '../../src/audit/chain/seal-entries.ts';
import { backlogs } from '../../src/app/backlogs.ts';
import { touchCredentials } from '../../src/clients/credentials/authenticate.queries.ts';
import { timedSeal } from '../../src/clients/sign-in/timed-seal.ts';
import { clientsWithErasures } from '../../src/accounts/erasure/erasures.queries.ts';
import { finishErasures } from '../../src/accounts/erasure/finish-erasures.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { failAbandonedUploads } from '../../src/imports/worker/jobs.queries.ts';
import { ownLimiter } from '../../src/kernel/concurrency/limiter.ts';
import {
  clientsWithExpiredReservations,
  closeExpiredReservations,
} from '../../src/marketplace/reservations/close-expired-reservations.ts';
import { partsOfAccount } from '../../src/app/parts-of-account.ts';
import { backlogCheck } from '../../src/persistence/checks/backlog.check.ts';
import { inspect } from '../../src/persistence/checks/inspect.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { backlogMetrics } from '../../src/persistence/watches/backlog.ts';
import { createRateLimit } from '../../src/server/http/limits/rate-limit.ts';
import { clientsWithTriggers } from '../../src/triggers/inbox/inbox.queries.ts';
import { quarantineBatch } from '../../src/triggers/inbox/quarantine.queries.ts';
import { alertsOf, KEY } from '../operations/alerts/fixture.ts';
import { elsewhere, settledUser, signIn, withCookie, cookieOf, cookiesOf } from '../operations/clients/console.ts';
import { createImport, ended, upload } from '../operations/imports/files.ts';
import { customer, newOffer, stateOf } from '../operations/marketplace/shop.ts';
import { untilApplied } from '../operations/triggers/inbox-fixture.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';

// Rows with the dates of a clock that was a year ahead for a while; clock-set.test.ts changes a real clock.

const YEAR = 365 * 86_400_000;
const A_YEAR_AHEAD = `clock_timestamp() + interval '365 days'`;

let service: TestService;
let receiver: Receiver;
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ clock, trustForwarded: true, secretKeys: [KEY] });
  await newGame(service, {
    codes: { LOGIN: 'SINGLE' },
    missions: [{ programmaticCode: 'LOGIN', target: 1_000 }],
  });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

const sql = <Row extends object>(text: string, clientId = service.clientId) =>
  service.db.unitOfWork(clientId, (uow) => uow.query<Row>(text));

/** Accepted asynchronous events in the inbox that no process has seen yet. */
const accept = (columns: string) =>
  sql<{ id: string }>(
    `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, ${columns.split('=')[0]})
     select '${service.clientId}', '${newId()}', 'LOGIN', 'ada', 'EXTERNAL', now(), now(), ${columns.split('=')[1]}
     returning id`,
  );

describe('asynchronous events', () => {
  test('one that is to be tried again in a year is applied now', async () => {
    await accept(`not_before=${A_YEAR_AHEAD}`);
    await untilApplied(service, 5_000);
  });

  test('one that is to be applied alone in a year is applied now', async () => {
    await accept(`alone, not_before='TRIED', ${A_YEAR_AHEAD}`);
    await untilApplied(service, 5_000);
  });

  test('those of a batch whose process died in a year are applied now', async () => {
    const other = await service.newTenant();
    await newGame(service, { codes: { LOGIN: 'SINGLE' }, adminToken: other.adminToken, missions: [{ target: 9 }] });
    await service.db.unitOfWork(other.clientId, async (uow) => {
      const values = [other.clientId];
      const [row] = await uow.query<{ id: string }>(
        `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at)
         values ($1, '${newId()}', 'LOGIN', 'eve', 'EXTERNAL', now(), now()) returning id`,
        values,
      );
      await uow.query(
        `insert into trigger_batch (client_id, id, first_id, last_id, marked_at)
         values ($1, gen_random_uuid(), '${row!.id}', '${row!.id}', ${A_YEAR_AHEAD})`,
        values,
      );
    });
    await untilApplied(service, 15_000);
  });

  test('one that is to be tried again in a year and at which a process died is applied alone', async () => {
    const other = await service.newTenant();
    // One transaction, so that the service cannot process it in between.
    const quarantine = await service.db.unitOfWork(other.clientId, async (uow) => {
      const [row] = await uow.query<{ id: string }>(
        `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, not_before)
         values ($1, '${newId()}', 'LOGIN', 'eve', 'EXTERNAL', now(), now(), ${A_YEAR_AHEAD}) returning id`,
        [other.clientId],
      );
      const { id } = row!;
      const batch = { id, firstId: id, lastId: id, markedAt: new Date() };
      const found = await quarantineBatch(uow, batch, () => 1);
      await uow.query('delete from trigger_inbox where client_id = $1', [other.clientId]);
      return found.map((each) => each === id);
    });
    expect(quarantine).toEqual([true]);
  });
});

describe('webhooks', () => {
  beforeAll(async () => {
    const settings = { endpoint: `${receiver.url}/hook`, retries: true };
    expect(await service.rest('PUT', '/webhooks/rewards', settings)).toMatchObject({ status: 200 });
  });
  const configuration = `(select configuration_id from webhook_configuration where type = 'REWARDS')`;
  const sent = async (add: (id: string) => Promise<unknown>) => {
    const [{ id } = { id: '' }] = await sql<{ id: string }>('select gen_random_uuid() as id');
    await add(id);
    await expect
      .poll(() => sql(`select 1 from webhook_delivery where message_id = '${id}' and outcome = 'DELIVERED'`), {
        timeout: 5_000,
      })
      .toHaveLength(1);
  };

  test.each([
    ['that is to be sent in a year', A_YEAR_AHEAD, 'null'],
    ['whose sender died in a year', 'now()', A_YEAR_AHEAD],
  ])('one %s is sent now', (_, notBefore, leaseUntil) =>
    sent((id) =>
      sql(`insert into outbox_message (client_id, id, configuration_id, type, body, not_before, lease_until, attempts, created_at)
           values ('${service.clientId}', '${id}', ${configuration}, 'REWARDS', '[]', ${notBefore}, ${leaseUntil}, 0, now())`),
    ),
  );

  test.each([
    ['in a year', A_YEAR_AHEAD, 'null'],
    ['whose sender died in a year', 'now()', A_YEAR_AHEAD],
  ])('a retry %s is sent now', (_, nextAttemptAt, leaseUntil) =>
    sent((id) =>
      sql(`insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries, first_attempt_at,
                                      next_attempt_at, lease_until, last_outcome, created_at)
           values ('${service.clientId}', '${id}', ${configuration}, 'REWARDS', '[]', 1, 0, now(), ${nextAttemptAt},
                   ${leaseUntil}, 'FAILED', now())`),
    ),
  );

  test('a retry whose sender died in a year is not said to be under way, and is sent where an operator asks for it', async () => {
    await sent(async (id) => {
      await sql(`insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, attempted_at, duration_ms,
                                               outcome, body)
                 values ('${service.clientId}', '${id}', '${id}', 'REWARDS', 1, 'POST', '${receiver.url}', now(), 1, 'FAILED', '[]')`);
      await sql(`insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries, first_attempt_at,
                                            next_attempt_at, lease_until, last_outcome, created_at)
                 values ('${service.clientId}', '${id}', ${configuration}, 'REWARDS', '[]', 1, 0, now(), now() + interval '8 hours',
                         ${A_YEAR_AHEAD}, 'FAILED', now())`);
      const waiting = await ok(service.rest('GET', '/admin/webhooks/waiting/paginated?page=1&limit=10'));
      expect(waiting.rows).toMatchObject([{ id, sending: false }]);
      await ok(service.rest('POST', `/admin/webhooks/deliveries/${id}/redeliver`));
    });
  });

  test('a retry in eight hours waits, whatever else is due', async () => {
    const [{ id } = { id: '' }] = await sql<{ id: string }>('select gen_random_uuid() as id');
    await sql(`insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries, first_attempt_at,
                                          next_attempt_at, last_outcome, created_at)
               values ('${service.clientId}', '${id}', ${configuration}, 'REWARDS', '[]', 1, 0, now(), now() + interval '8 hours',
                       'FAILED', now())`);
    await sent((other) =>
      sql(`insert into webhook_retry (client_id, id, configuration_id, type, body, attempts, failed_retries, first_attempt_at,
                                      next_attempt_at, last_outcome, created_at)
           values ('${service.clientId}', '${other}', ${configuration}, 'REWARDS', '[]', 1, 0, now(), ${A_YEAR_AHEAD},
                   'FAILED', now())`),
    );
    expect(await sql(`select 1 from webhook_retry where id = '${id}'`)).toHaveLength(1);
    await sql(`delete from webhook_retry where id = '${id}'`);
  });
});

describe('people', () => {
  test('who mistyped while the clock was a year ahead sign in with the right password', async () => {
    const user = await settledUser(service);
    const from = elsewhere();
    aheadMs = YEAR;
    for (let time = 1; time <= 7; time += 1) await signIn(service, { ...user, password: 'wrong' }, { from });
    aheadMs = 0;
    expect(await signIn(service, user, { from })).toMatchObject({ status: 200 });
  });

  test('who mistyped before the clock went back by less wait no longer than the longest wait', async () => {
    const user = await settledUser(service);
    const from = elsewhere();
    aheadMs = 50_000;
    for (let time = 1; time <= 6; time += 1) await signIn(service, { ...user, password: 'wrong' }, { from });
    aheadMs = 0;
    const refused = await signIn(service, user, { from });
    expect(refused).toMatchObject({ status: 429, body: { code: 'USER_LOCKED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  });

  test('whose authenticator was used while the clock was a year ahead get in with its codes, each once', async () => {
    const user = await settledUser(service);
    const session = user.answer.body.accessToken as string;
    const factor = (action: string, body: object) =>
      ok(service.rest('POST', `/admin/session/second-factor/${action}`, body, session));
    const { secret } = await factor('begin', { currentPassword: user.password });
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock().getTime() });
    await factor('confirm', { code: code() });
    await sql(`update console_user set second_factor_step = ${Math.floor((Date.now() + YEAR) / 30_000)}
                where id = '${user.id}'`);
    const secondFactor = code();
    expect(await signIn(service, user, { secondFactor })).toMatchObject({ status: 200 });
    expect(await signIn(service, user, { secondFactor })).toMatchObject({
      status: 403,
      body: { code: 'SECOND_FACTOR_REFUSED' },
    });
  });

  test('whose sessions began while the clock was a year ahead sign in again, rather than stay for a year', async () => {
    const user = await settledUser(service);
    aheadMs = YEAR;
    const { body, headers, status } = await signIn(service, user, { from: elsewhere() });
    expect(status).toBe(200);
    aheadMs = 0;
    expect(await service.rest('GET', '/admin/session', undefined, body.accessToken)).toMatchObject({ status: 401 });
    const cookie = cookiesOf({ status, headers, body });
    expect(await withCookie(service, '/admin/session/refresh', cookie)).toMatchObject({ status: 401 });
  });

  test.each(['console_token', 'console_session'])('are not let in by a %s that ends in a year', async (table) => {
    const { answer, id } = await settledUser(service);
    const of = table === 'console_session' ? 'id' : 'session_id';
    await sql(`update ${table} set expires_at = ${A_YEAR_AHEAD}
                where ${of} in (select id from console_session where user_id = '${id}')`);
    expect(await withCookie(service, '/admin/session/refresh', cookieOf(answer))).toMatchObject({ status: 401 });
  });

  test('whose cookie was replaced in a year learn of a thief who sends the former one', async () => {
    const { answer, id } = await settledUser(service);
    const refresh = () => withCookie(service, '/admin/session/refresh', cookieOf(answer));
    expect(await refresh()).toMatchObject({ status: 200 });
    await sql(`update console_token set replaced_at = ${A_YEAR_AHEAD} where replaced_at is not null
                and session_id in (select id from console_session where user_id = '${id}')`);
    expect(await refresh()).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
  });

  test('who began to sign in at a provider in a year begin again', () => {
    const seal = timedSeal<{ next: string }>('test', { secrets: createSecretBox([Buffer.alloc(32, 1)]), clock });
    aheadMs = YEAR;
    const sealed = seal.close({ next: '/' });
    aheadMs = 0;
    expect(() => seal.open(sealed)).toThrow('Begin it again');
  });

  test('who ask too often are told to wait no longer than is counted over', async () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1 }, (options) =>
      Object.assign(ownLimiter(options), {
        consume: () => Promise.reject({ msBeforeNext: YEAR, consumedPoints: 9, remainingPoints: 0 }),
      }),
    );
    const refused = await limit({ clientId: '', credentialId: 'a', role: 'INTEGRATOR' } as never).catch(
      (e: unknown) => e,
    );
    expect(refused).toMatchObject({ retryAfter: 10 });
  });
});

test('a call whose operation id was refused in a year takes effect now', async () => {
  const publicationId = await newOffer(service, { stock: 1 });
  const offer = (operationId: string) =>
    service.rest('POST', `/marketplace/publications/redeem/${publicationId}`, {
      accountId: 'nobody-yet',
      idType: 'EXTERNAL',
      operationId,
    });
  expect(await offer('refused-ahead')).toMatchObject({ status: 404 });
  expect(await sql(`update operation_refusal set refused_at = ${A_YEAR_AHEAD} returning scope`)).not.toEqual([]);
  await service.rest('POST', '/accounts/resolve', { externalId: 'nobody-yet' });
  expect(await offer('refused-ahead')).toMatchObject({ status: 200 });
});

test('a use of a credential that was recorded in a year is recorded now', async () => {
  const key = await ok(service.rest('POST', '/admin/credentials', { kind: 'API_KEY', name: 'Used' }));
  const id = key.credential.id as string;
  await sql(`update credential set last_used_at = ${A_YEAR_AHEAD} where id = '${id}'`);
  await service.rest('GET', '/accounts/paginated?page=1&limit=1', undefined, key.secret);
  await expect
    .poll(() => sql(`select 1 from credential where id = '${id}' and last_used_at < now() + interval '1 minute'`))
    .toHaveLength(1);
});

describe('where clients lie on several nodes', () => {
  const onNodes = (uow: UnitOfWork): UnitOfWork => ({ ...uow, isDistributed: () => Promise.resolve(true) });

  test('the use of a credential that was recorded in a year is recorded now', async () => {
    const { credential } = await ok(service.rest('POST', '/admin/credentials', { kind: 'API_KEY', name: 'On a node' }));
    await sql(`update credential set last_used_at = ${A_YEAR_AHEAD} where id = '${credential.id}'`);
    const db: Database = {
      ...service.db,
      systemUnitOfWork: (work) => service.db.systemUnitOfWork((uow) => work(onNodes(uow))),
    };
    const now = new Date();
    await touchCredentials(
      db,
      [{ clientId: service.clientId, id: credential.id }],
      now,
      new Date(now.getTime() - 60_000),
    );
    expect(await sql(`select last_used_at as at from credential where id = '${credential.id}'`)).toEqual([{ at: now }]);
  });

  test('a client is found whose event is to be tried again in a year', async () => {
    const { clientId } = await service.newTenant();
    // One transaction, so that the service cannot process it in between.
    const found = await service.db.unitOfWork(clientId, async (uow) => {
      await uow.query(
        `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, not_before)
         values ($1, '${newId()}', 'LOGIN', 'eve', 'EXTERNAL', now(), now(), ${A_YEAR_AHEAD})`,
        [clientId],
      );
      const clients = await clientsWithTriggers(onNodes(uow));
      await uow.query('delete from trigger_inbox where client_id = $1', [clientId]);
      return clients;
    });
    expect(found).toEqual([clientId]);
  });
});

test('an import whose process died in a year is loaded now, and an upload that began then is not waited for', async () => {
  const stale = await createImport(service);
  await sql(`update csv_import set uploaded_at = ${A_YEAR_AHEAD} where id = '${stale.id}'`);
  const { id, uploadPath } = await createImport(service);
  await upload(service, uploadPath, 'externalId\nloaded\n');
  await sql(`update csv_import set lease_until = ${A_YEAR_AHEAD}, runner = gen_random_uuid(), status = 'RUNNING'
              where id = '${id}' and finished_at is null`);
  expect(await ended(service, id)).toMatchObject({ status: 'DONE' });
  const abandoned = (now: number) =>
    service.db.unitOfWork(service.clientId, (uow) =>
      failAbandonedUploads(uow, new Date(now - 86_400_000), new Date(now)),
    );
  expect(await abandoned(Date.now())).toBe(0);
  expect(await abandoned(Date.now() + 2 * 86_400_000)).toBe(1);
});

test('a channel that reports what needs attention in a year reports now, and reminds', async () => {
  const alerts = alertsOf(service);
  await ok(
    service.rest('PUT', '/admin/alert-settings', {
      version: 0,
      endpoint: `${receiver.url}/alerts`,
      causes: ['DEAD_TRIGGERS'],
      reminderHours: 1,
    }),
  );
  await accept('dead_at=now()');
  const { clientId } = service;
  await service.db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into alert_channel (client_id, kind, lease_until, next_attempt_at)
       values ($1, 'WEBHOOK', ${A_YEAR_AHEAD}, ${A_YEAR_AHEAD})`,
      [clientId],
    ),
  );
  expect(await alerts.check(service.db, clientId, new Date())).toBe(1);
  await alerts.idle();
  await sql(`update alert set webhook_told_at = ${A_YEAR_AHEAD}`);
  expect(await alerts.check(service.db, clientId, new Date())).toBe(1);
  await alerts.idle();
  expect(receiver.received.filter(({ url }) => url === '/alerts')).toHaveLength(2);
  await sql('delete from trigger_inbox where dead_at is not null');
});

test('an erasure that goes on in a year goes on now', async () => {
  const { body } = await service.rest('POST', '/accounts/resolve', { externalId: 'erased' });
  await service.rest('POST', `/accounts/${body.id}/erase`, {}, service.adminToken);
  await sql(
    `update account_erasure set due_at = ${A_YEAR_AHEAD}, finished_at = null, pass = 2 where account_id = '${body.id}'`,
  );
  const due = (uow: UnitOfWork) => clientsWithErasures(uow, new Date());
  expect(await service.db.systemUnitOfWork(due)).toContain(service.clientId);
  await finishErasures(service.db, service.clientId, { parts: partsOfAccount, clock: () => new Date() });
  expect(
    await sql(`select 1 from account_erasure where account_id = '${body.id}' and finished_at is not null`),
  ).toHaveLength(1);
});

test('units that are held back until next year are on offer again', async () => {
  const publicationId = await newOffer(service, { stock: 3 });
  await customer(service, 'hesitant').freeze(publicationId, { quantity: 2, ttlSeconds: 60 });
  await sql(`update reservation set expires_at = ${A_YEAR_AHEAD} where status = 'ACTIVE'`);
  const due = (uow: UnitOfWork) => clientsWithExpiredReservations(uow, new Date());
  expect(await service.db.systemUnitOfWork(due)).toContain(service.clientId);
  await closeExpiredReservations(service.db, service.clientId, new Date());
  expect(await stateOf(service, publicationId)).toMatchObject({ availableStock: 3 });
});

test('changes get their places in the audit log behind one that was dated in a year, and so does that', async () => {
  const secrets = createSecretBox([Buffer.alloc(32, 1)]);
  const tenant = await service.newTenant();
  const entry = (id: string) =>
    sql(
      `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type)
       values ('${tenant.clientId}', '${id}', 'COMMAND_LINE', 'test', 'CommandLine.Migrate', 'service')`,
      tenant.clientId,
    );
  const hex = (ms: number) => Math.floor(ms).toString(16).padStart(12, '0');
  const idAt = (ms: number) => `${hex(ms).slice(0, 8)}-${hex(ms).slice(8)}-7000-8000-${String(ms).slice(-12)}`;
  await entry(idAt(Date.now() + YEAR));
  expect(await sealEntries(service.db, tenant.clientId, { now: new Date(), secrets })).toBe(1);
  await entry(idAt(Date.now() - 10 * 60_000));
  expect(await sealEntries(service.db, tenant.clientId, { now: new Date(), secrets })).toBe(1);
});

test('what waits and is dated in a year shows in the metrics and to the doctor', async () => {
  const other = await service.newTenant();
  await service.db.unitOfWork(other.clientId, (uow) =>
    uow.query(
      `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, dead_at)
       values ($1, '${newId()}', 'LOGIN', 'a', 'EXTERNAL', now(), now(), ${A_YEAR_AHEAD})`,
      [other.clientId],
    ),
  );
  const registry = new Registry();
  backlogMetrics(registry, service.db, backlogs);
  const ahead = Number(
    /^laurel_backlog_ahead_seconds\{queue="dead_triggers"\} (\S+)$/m.exec(await registry.metrics())?.[1],
  );
  expect(Math.abs(ahead - YEAR / 1_000)).toBeLessThan(60);
  const [verdict] = await inspect(service.databaseUrl, [backlogCheck(backlogs)]);
  expect(verdict?.findings).toMatchObject([
    {
      severity: 'warning',
      problem: expect.stringMatching(/^What waits in dead_triggers is dated up to 315\d{5} s ahead/),
    },
  ]);
  await sql('delete from trigger_inbox where dead_at is not null', other.clientId);
  expect((await inspect(service.databaseUrl, [backlogCheck(backlogs)]))[0]?.findings).toEqual([]);
});
