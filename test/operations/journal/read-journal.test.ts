import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JournalAdminService } from '../../../gen/laurel/admin/v1/journal_admin_service_pb.ts';
import { JournalEntry_Effect } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { codedGame, type Entry, type Game, journalOf } from './fixture.ts';

const HOUR = 3_600_000;

let service: TestService;
let journal: ReturnType<typeof journalOf>;

beforeAll(async () => {
  service = await startService();
  journal = journalOf(service);
});
afterAll(() => service.close());

const gameOf = (...what: Game) => codedGame(service, ...what);
const emitAndReadEntry = (code: string, account: string) => journal.emitAndReadEntry(code, account);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('the list', () => {
  test('goes by page from the newest to the oldest and ends', async () => {
    const { code } = await gameOf({ target: 100 });
    for (let index = 0; index < 5; index += 1) await emitAndReadEntry(code, 'pia');
    const pages: number[][] = [];
    for (let cursor = ''; ;) {
      const { body } = await journal.list({ programmaticCode: code, limit: '2', ...(cursor && { cursor }) });
      pages.push(body.rows.map((row: Entry) => row.missions[0]!['progress']));
      if (body.nextCursor === undefined) break;
      cursor = body.nextCursor;
    }
    expect(pages).toEqual([[5, 4], [3, 2], [1]]);
  });

  test('conditions hold together', async () => {
    const { code } = await gameOf({ target: 2 });
    for (const account of ['quin', 'rosa', 'quin']) await emitAndReadEntry(code, account);
    const accountId = await journal.accountId('quin');
    const of = (more: Record<string, string>) => journal.entries({ programmaticCode: code, ...more });
    expect(await of({ accountId })).toHaveLength(2);
    expect(await of({ accountId, effect: 'CAMPAIGN_COMPLETED' })).toHaveLength(1);
    expect(await of({ effect: 'PROGRESSED' })).toHaveLength(2);
    expect(await of({ since: new Date(Date.now() + HOUR).toISOString() })).toEqual([]);
    expect(await of({ since: ago(HOUR), until: new Date(Date.now() + HOUR).toISOString() })).toHaveLength(3);
    expect(await of({ until: ago(HOUR) })).toEqual([]);
  });

  test('can be of what earned a reward alone, which completing alone does not', async () => {
    const rewards = [{ name: 'Five points', type: 'POINTS', amount: 5 }];
    const missions = [{ programmaticCode: 'FIRST' }, { programmaticCode: 'LAST' }];
    await newGame(service, { codes: { FIRST: 'SINGLE', LAST: 'SINGLE' }, missions, rewards });
    for (const code of ['FIRST', 'LAST', 'LAST']) await emitAndReadEntry(code, 'tess');
    const accountId = await journal.accountId('tess');
    const earned = await journal.entries({ accountId, rewarded: 'true' });
    expect(earned).toMatchObject([{ programmaticCode: 'LAST', rewards: [{ name: 'Five points' }] }]);
    expect(await journal.entries({ accountId, rewarded: 'true', effect: 'COMPLETED' })).toEqual([]);
    expect(await journal.entries({ accountId, rewarded: 'false' })).toHaveLength(3);
  });

  test('a cursor of nobody is refused', async () => {
    const { status, body } = await journal.list({ cursor: 'next' });
    expect([status, body.message]).toEqual([400, expect.stringContaining('nextCursor')]);
  });

  test('shows another client nothing, over gRPC as well', async () => {
    const { code } = await gameOf({ target: 9 });
    const entry = await emitAndReadEntry(code, 'ada');
    const other = await service.newTenant();
    for (const query of [
      {},
      { programmaticCode: code },
      { accountId: entry.accountId! },
      { operationId: entry.operationId! },
    ])
      expect(await journal.entries(query as Record<string, string>, other.adminToken)).toEqual([]);
    const client = createClient(JournalAdminService, createGrpcTransport({ baseUrl: service.baseUrl }));
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const request = { operationId: entry.operationId! };
    expect((await client.listJournalEntries(request, as(other.adminToken))).rows).toEqual([]);
    const own = await client.listJournalEntries(request, as(service.adminToken));
    expect(own.rows).toMatchObject([{ id: entry.id, effect: JournalEntry_Effect.PROGRESSED }]);
    await expect(client.listJournalEntries(request, as(service.apiKey))).rejects.toThrow();
  });
});

test('a batch whose entries have the ids of missions and moments themselves is read as well', async () => {
  const { code, missionIds } = await gameOf({ target: 9 });
  const missionId = missionIds[0]!;
  const occurredAt = '2026-05-06T07:08:09.123Z';
  const entries = [
    [Date.parse(occurredAt), 0, 1, 0, 2, missionId, 0],
    [Date.parse(occurredAt), 0, 2, 0, 0, 0, { m: [[missionId, 1, 2, 9]] }],
  ];
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query(
      `insert into journal_batch (client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, entries)
       values ($1, clock_timestamp(), gen_random_uuid(), '{null,null}', array[$2], '{1,2}', '{}', $3::json)`,
      [service.clientId, code, JSON.stringify(entries)],
    ),
  );
  const mission = { missionId, name: 'Mission 1' };
  expect(await journal.entries({ programmaticCode: code })).toMatchObject([
    { occurredAt, missions: [{ ...mission, previousProgress: 1, progress: 2, target: 9 }] },
    { occurredAt, missionId, missionName: mission.name },
  ]);
});

test('an erased account is in the journal no more', async () => {
  const { code } = await gameOf({ target: 9 });
  const { accountId } = await emitAndReadEntry(code, 'zoe');
  await emitAndReadEntry(code, 'zack');
  expect((await service.rest('POST', `/accounts/${accountId}/erase`)).status).toBe(200);
  const left = await journal.entries({ programmaticCode: code });
  expect(left.map((entry) => entry.accountId)).toEqual([await journal.accountId('zack')]);
});

test('the export tells every entry, of one account or of all', async () => {
  const { code } = await gameOf({ target: 1 });
  const { accountId } = await emitAndReadEntry(code, 'xena');
  await emitAndReadEntry(code, 'xena');
  const csv = async (query: string) => {
    const answer = await fetch(`${service.baseUrl}/admin/exports/journal.csv${query}`, {
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
    expect(answer.status).toBe(200);
    return (await answer.text()).trim().split('\r\n');
  };
  const [head, newest, oldest, ...more] = await csv(`?accountId=${accountId}`);
  expect(head).toContain(
    'id,recordedAt,occurredAt,accountId,programmaticCode,operationId,effect,uncountedReason,missions,campaigns,rewards,errorCode',
  );
  expect(newest).toMatch(/,NOTHING,ALREADY_COMPLETED,Mission 1,,,$/);
  expect(oldest).toMatch(/,CAMPAIGN_COMPLETED,,Mission 1,Campaign \d+,10 points,$/);
  expect(more).toEqual([]);
  const all = await csv('');
  expect(all.length - 1).toBe((await journal.entries({ limit: '1000' })).length);
});
