import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalingOf } from '../../../src/app/config.ts';
import { operationHash } from '../../../src/journal/journal.queries.ts';
import { startService, type TestService } from '../../support/service.ts';
import { codedGame, type Entry, journalOf } from './fixture.ts';

const HOUR = 3_600_000;

let service: TestService;
let journal: ReturnType<typeof journalOf>;
let one: string;
let other: string;

beforeAll(async () => {
  service = await startService();
  journal = journalOf(service);
  one = (await codedGame(service, { target: 100 })).code;
  other = (await codedGame(service, { target: 100 })).code;
});
afterAll(() => service.close());

type Sent = { readonly programmaticCode: string; readonly accountId: string; readonly operationId: string };
const event = (sent: Sent) => ({ idType: 'EXTERNAL', metadata: {}, ...sent });
async function send(...triggers: readonly Sent[]): Promise<void> {
  const { status, body } = await service.rest('POST', '/gamification/triggers/batch', {
    triggers: triggers.map(event),
  });
  if (status !== 200 || JSON.stringify(body).includes('"error"')) throw new Error(`${status} ${JSON.stringify(body)}`);
}
const codesOf = (entries: readonly Entry[]) => entries.map(({ programmaticCode }) => programmaticCode);
const hashes = async (code: string) =>
  (
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query<{ hashes: number }>(
        'select cardinality(operation_hashes) as hashes from journal_batch where programmatic_codes @> array[$1] order by recorded_at',
        [code],
      ),
    )
  ).map((row) => row.hashes);

test('an event is found by its operation id in any combination, without a hash of it', async () => {
  const { code } = await codedGame(service, { target: 100 });
  const operationId = randomUUID();
  await send(
    { programmaticCode: code, accountId: 'ada', operationId: randomUUID() },
    { programmaticCode: code, accountId: 'ada', operationId },
    { programmaticCode: code, accountId: 'bea', operationId: randomUUID() },
  );
  expect(await hashes(code)).toEqual([0]);
  const of = (more: Record<string, string>) => journal.entries({ operationId, ...more });
  const [entry] = await of({});
  expect(entry).toMatchObject({ operationId, programmaticCode: code, missions: [{ progress: 2 }] });
  const [ada, bea] = [await journal.accountId('ada'), await journal.accountId('bea')];
  const found: Record<string, string>[] = [
    { accountId: ada },
    { programmaticCode: code },
    { effect: 'PROGRESSED' },
    { limit: '1' },
    { since: new Date(Date.now() - HOUR).toISOString() },
    { until: new Date(Date.now() + HOUR).toISOString() },
    { accountId: ada, programmaticCode: code, effect: 'PROGRESSED', since: new Date(Date.now() - HOUR).toISOString() },
  ];
  for (const more of found) expect(await of(more), JSON.stringify(more)).toEqual([entry]);
  const missed: Record<string, string>[] = [
    { accountId: bea },
    { programmaticCode: other },
    { effect: 'NOTHING' },
    { rewarded: 'true' },
    { until: new Date(Date.now() - HOUR).toISOString() },
    { since: new Date(Date.now() + HOUR).toISOString() },
  ];
  for (const more of missed) expect(await of(more), JSON.stringify(more)).toEqual([]);
  expect((await journal.list({ operationId }, (await service.newTenant()).adminToken)).body.rows).toEqual([]);
});

test('all events of one operation id are found, in whatever calls and by page', async () => {
  const apart = randomUUID();
  await send({ programmaticCode: one, accountId: 'ada', operationId: apart });
  await send({ programmaticCode: other, accountId: 'bea', operationId: apart });
  expect(codesOf(await journal.entries({ operationId: apart }))).toEqual([other, one]);
  const together = randomUUID();
  await send(
    { programmaticCode: one, accountId: 'ada', operationId: together },
    { programmaticCode: other, accountId: 'ada', operationId: together },
  );
  const first = await journal.list({ operationId: together, limit: '1' });
  const second = await journal.list({ operationId: together, limit: '1', cursor: first.body.nextCursor });
  expect(codesOf([...first.body.rows, ...second.body.rows])).toEqual([other, one]);
  expect(second.body.nextCursor).toBeUndefined();
});

test('an id that something else has used first finds the event', async () => {
  const operationId = randomUUID();
  const accountId = await journal.accountId('ada');
  const gift = { amount: 5, reason: 'A gift', operationId };
  const given = await service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, gift);
  expect(given.status).toBe(200);
  await send({ programmaticCode: one, accountId: 'ada', operationId });
  expect(codesOf(await journal.entries({ operationId }))).toEqual([one]);
});

test('events are found by hash where operations are forgotten first, and later by a service that keeps them', async () => {
  const journaling = (journalRetentionDays: number, operationRetentionDays: number) =>
    journalingOf({ journalRetentionDays, operationRetentionDays });
  // A day of the journal is kept until seven later days are over.
  expect([journaling(7, 30), journaling(7, 8), journaling(7, 7)]).toEqual(['byOperation', 'byOperation', 'byHash']);
  expect(journaling(0, 30)).toBe(false);

  const hashed = await startService({ journal: 'byHash' });
  try {
    const { code } = await codedGame(hashed, { target: 9 });
    const entry = await journalOf(hashed).emitAndReadEntry(code, 'ada');
    await hashed.db.unitOfWork(hashed.clientId, (uow) => uow.query('delete from operation'));
    expect(await journalOf(hashed).entries({ operationId: entry.operationId! })).toEqual([entry]);
  } finally {
    await hashed.close();
  }
});

test('an entry that is found both ways is listed once', async () => {
  // The form of batches in releases with a hash of every id.
  const entry = await journal.emitAndReadEntry(one, 'ada');
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('update journal_batch set operation_hashes = array[$2::int] where id = $1', [
      entry.id.split('.')[0],
      operationHash(entry.operationId!),
    ]),
  );
  expect(await journal.entries({ operationId: entry.operationId! })).toEqual([entry]);
});
