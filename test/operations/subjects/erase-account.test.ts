import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountTable } from '../../../src/accounts/account.entity.ts';
import { finishErasures } from '../../../src/accounts/erasure/finish-erasures.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { columnOf, type Name, propertiesOf } from '../../../src/persistence/columns-of.ts';
import { playMarkedGame } from '../../security/marked-game.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { createImport, ended, upload } from '../imports/files.ts';
import { everyRow, tablesWith } from './dump.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

/** The second sweep, which housekeeping runs minutes later. */
function laterSweep(minutes = 4): Promise<number> {
  const clock = () => new Date(Date.now() + minutes * 60_000);
  return finishErasures(service.db, service.clientId, { parts: partsOfAccount, clock });
}

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  service.db.unitOfWork(service.clientId, (uow) => uow.query<Row>(text, values));

const erase = (id: string) => service.rest('POST', `/accounts/${id}/erase`, {});

/** The columns that the row of an erased account keeps, and why. */
const STAYING = {
  clientId: 'The owner of the row.',
  id: 'The anonymous id of what stays.',
  createdAt: 'Sums by the day need it.',
  updatedAt: 'The time of the erasure.',
  deletedAt: 'The time of the deletion.',
  tokensValidFrom: 'The account tokens of before are refused.',
} satisfies Partial<Record<Name<typeof accountTable>, string>>;

/** A value of every other column, in SQL. */
const PERSONAL: Readonly<Record<Exclude<Name<typeof accountTable>, keyof typeof STAYING | 'mergedInto'>, string>> = {
  externalId: `'whole'`,
  email: `'whole@example.com'`,
  name: `'Whole Person'`,
  timeZone: `'Europe/Madrid'`,
  pastZones: `'[]'`,
  attributes: `'{"tier": "gold"}'`,
  suspendedAt: `'2026-01-01'`,
};

describe('after an account was erased', () => {
  test('its row has no value in any column that has no reason to stay', async () => {
    const { body: account } = await service.rest('POST', '/accounts', { externalId: 'whole' });
    const values = Object.entries(PERSONAL).map(([name, value]) => `${columnOf(accountTable, name)} = ${value}`);
    await sql(`update account set ${values.join(', ')} where id = $1`, [account.id]);
    // An alias stays one of the erased account, whose sums have its points.
    const names = (Object.keys(accountTable.properties) as Name<typeof accountTable>[]).filter(
      (property) => property !== 'mergedInto',
    );
    const filled = async () => {
      const [row] = await sql<object>(`select ${propertiesOf(accountTable, names)} from account where id = $1`, [
        account.id,
      ]);
      return Object.entries(row!).flatMap(([name, value]) => (value === null ? [] : [name]));
    };
    expect(await filled()).toEqual(names.filter((name) => name !== 'deletedAt' && name !== 'tokensValidFrom'));
    await erase(account.id);
    expect(await filled()).toEqual(Object.keys(STAYING));
  });

  test('no row of the database holds what tells whose it was, and only what stays by design holds its id', async () => {
    const game = await playMarkedGame(service.rest, service);
    const [account] = await sql<{ id: string; external_id: string }>(
      `select id, external_id from account where email like 'mail%'`,
    );
    await service.rest('POST', '/gamification/triggers/async', { programmaticCode: 'NONE', accountId: account!.id });
    expect((await erase(account!.id)).status).toBe(200);
    await laterSweep();
    const rows = await everyRow(service.databaseUrl);
    expect(rows.length).toBeGreaterThan(50);
    for (const what of ['e-mail', 'name of a person', 'external id']) {
      const { value } = game.personal.find((mark) => mark.what === what)!;
      expect(tablesWith(rows, value), what).toEqual([]);
    }
    for (const { value } of game.codes) expect(tablesWith(rows, value)).toEqual(['product_code']);
    const staying = partsOfAccount.flatMap(({ table, erasure }) => (erasure.kind === 'swept' ? [] : [table]));
    const left = tablesWith(rows, account!.id).filter((table) => !staying.includes(table));
    // The column of a stored operation whose answer is deleted.
    expect(left.filter((table) => table !== 'operation')).toEqual([]);
    await game.close();
  });

  test('a repeat of its operation answers 404 and plays nothing; other content under the id is still refused', async () => {
    await newGame(service);
    const { body: account } = await service.rest('POST', '/accounts', { externalId: 'repeater' });
    const event = { programmaticCode: 'LOGIN', accountId: 'repeater', idType: 'EXTERNAL', operationId: 'once-77' };
    expect((await service.rest('POST', '/gamification/triggers', event)).status).toBe(200);
    const stored = `select fingerprint, response, erased from operation where id = 'once-77'`;
    const [before] = await sql<{ fingerprint: Buffer }>(stored);
    await erase(account.id);
    expect(await sql(stored)).toEqual([{ fingerprint: before!.fingerprint, response: null, erased: true }]);
    const gone = { status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } };
    expect(await service.rest('POST', '/gamification/triggers', event)).toMatchObject(gone);
    expect(await service.rest('POST', '/gamification/triggers/async', event)).toMatchObject(gone);
    expect(await sql(`select from account where external_id = 'repeater'`)).toEqual([]);
    const other = { ...event, metadata: { note: 'other' } };
    expect(await service.rest('POST', '/gamification/triggers', other)).toMatchObject({
      status: 400,
      body: { code: 'OPERATION_ID_REUSED' },
    });
  });

  test('the account of another client with the same external id has everything that it had', async () => {
    const tenant = await service.newTenant();
    await newGame(service, { adminToken: tenant.adminToken });
    const event = { programmaticCode: 'LOGIN', accountId: 'twin', idType: 'EXTERNAL', operationId: 'twin-1' };
    const { body: mine } = await service.rest('POST', '/accounts', { externalId: 'twin' });
    const first = await service.rest('POST', '/gamification/triggers', event, tenant.apiKey);
    expect(first.status).toBe(200);
    await service.rest('POST', '/gamification/triggers', event);
    await erase(mine.id);
    expect(await service.rest('POST', '/gamification/triggers', event, tenant.apiKey)).toMatchObject({
      status: 200,
      body: first.body,
    });
  });

  test('a second erasure answers 200 by id, 404 by external id, and begins the sweeps again', async () => {
    const { body: account } = await service.rest('POST', '/accounts', { externalId: 'twice' });
    await erase(account.id);
    await laterSweep();
    const open = () => sql('select account_id from account_erasure where finished_at is null');
    expect(await open()).toEqual([]);
    expect((await erase(account.id)).status).toBe(200);
    expect(await open()).toEqual([{ account_id: account.id }]);
    const external = await service.rest('POST', '/accounts/twice/erase?idType=EXTERNAL');
    expect(external.status).toBe(404);
  });
});

test('events of the account that wait or could not be applied go with it, and make no new account', async () => {
  const tenant = await service.newTenant();
  const { body: account } = await service.rest('POST', '/accounts', { externalId: 'waits' }, tenant.apiKey);
  const accept = (accountId: string, idType: string, dead: boolean) =>
    service.db.unitOfWork(tenant.clientId, (uow) =>
      uow.query(
        `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at, attempts, not_before, dead_at)
         values ($1, gen_random_uuid(), 'LOGIN', $2, $3, now(), now(), 0, now() + interval '1 hour', $4)`,
        [tenant.clientId, accountId, idType, dead ? new Date() : null],
      ),
    );
  for (const dead of [true, false]) {
    await accept('waits', 'EXTERNAL', dead);
    await accept(account.id, 'INTERNAL', dead);
    await accept('somebody else', 'EXTERNAL', dead);
  }
  expect((await service.rest('POST', `/accounts/${account.id}/erase`, {}, tenant.apiKey)).status).toBe(200);
  const left = await service.db.unitOfWork(tenant.clientId, (uow) =>
    uow.query('select distinct account_id from trigger_inbox'),
  );
  expect(left).toEqual([{ account_id: 'somebody else' }]);
  // Other files of the shared service wait until its inbox is empty.
  await service.db.unitOfWork(tenant.clientId, (uow) => uow.query('delete from trigger_inbox'));
});

test('an account that is erased while it is played leaves no row that names it, and nothing of its e-mail', async () => {
  const { body: account } = await service.rest('POST', '/accounts', { email: 'busy@example.com' });
  let erased = false;
  const play = async (player: number) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const operationId = `busy-${player}-${turn}`;
      const event = { programmaticCode: 'LOGIN', accountId: account.id, operationId };
      const { status } = await service.rest('POST', `/gamification/triggers${turn % 2 ? '/async' : ''}`, event);
      if (erased && status === 404) return;
    }
  };
  const players = Array.from({ length: 6 }, (_, index) => play(index));
  expect((await erase(account.id)).status).toBe(200);
  erased = true;
  await Promise.all(players);
  await laterSweep();
  const rows = await everyRow(service.databaseUrl);
  expect(tablesWith(rows, 'busy@example.com')).toEqual([]);
  const answers = await sql('select from operation where account_id = $1 and erased is null', [account.id]);
  expect(answers).toEqual([]);
});

test('an account that an import names while it is erased is gone or new, and never half of each', async () => {
  const { body: account } = await service.rest('POST', '/accounts', { externalId: 'row-700', name: 'Old Name' });
  const lines = Array.from({ length: 3_000 }, (_, index) => `row-${index},New Name ${index}`);
  const { id, uploadPath } = await createImport(service);
  await upload(service, uploadPath, `externalId,name\n${lines.join('\n')}\n`);
  expect((await erase(account.id)).status).toBe(200);
  expect(await ended(service, id)).toMatchObject({ status: 'DONE' });
  await laterSweep();
  const [row] = await sql('select external_id, name from account where id = $1', [account.id]);
  expect(row).toEqual({ external_id: null, name: null });
  expect(tablesWith(await everyRow(service.databaseUrl), 'Old Name')).toEqual([]);
});

test('100,000 entries of the log of webhooks are swept in short transactions, and other bodies stay', async () => {
  const { body: account } = await service.rest('POST', '/accounts', { name: 'Long Story' });
  await sql(
    `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, body, attempted_at, duration_ms, outcome)
     select $1, gen_random_uuid(), gen_random_uuid(), 'REWARDS', 1, 'POST', 'https://example.com',
            json_build_object('accountId', case when n % 2 = 0 then $2 else 'somebody else' end), now(), 1, 'DELIVERED'
       from generate_series(1, 100000) n`,
    [service.clientId, account.id],
  );
  let longestMs = 0;
  const timed = {
    ...service.db,
    async unitOfWork<T>(...args: Parameters<typeof service.db.unitOfWork<T>>) {
      const begun = performance.now();
      try {
        return await service.db.unitOfWork(...args);
      } finally {
        longestMs = Math.max(longestMs, performance.now() - begun);
      }
    },
  };
  expect((await erase(account.id)).status).toBe(200);
  const clock = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
  for (const minutes of [1, 10])
    await finishErasures(timed, service.clientId, { parts: partsOfAccount, clock: clock(minutes) });
  const [counts] = await sql(
    `select count(*) filter (where body is null)::int as gone, count(*) filter (where body like '%somebody else%')::int as kept
       from webhook_delivery where target = 'https://example.com'`,
  );
  expect(counts).toEqual({ gone: 50_000, kept: 50_000 });
  expect(longestMs).toBeLessThan(2_000);
}, 90_000);
