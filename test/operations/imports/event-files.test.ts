// Files of events that were never sent: docs/imports.md and docs/backfill.md.
import { beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { newTenant, restAs, type RestAnswer } from '../../support/service.ts';
import { insertStagedEvents } from '../../../src/imports/events/staged-events.queries.ts';
import { cleanUpImports } from '../../../src/imports/worker/clean-up-imports.ts';
import { enableBackfill } from '../triggers/backfill-fixture.ts';
import {
  balance,
  code,
  created,
  mission,
  points,
  reverse,
  send,
  service,
  shopper,
  useShopScene,
} from '../triggers/shop-scene.ts';
import { createImport, ended, load } from './files.ts';

type Json = RestAnswer['body'];

useShopScene();
beforeEach(() => enableBackfill(service, 30));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const startsAt = daysAgo(20);
const HEAD = 'operationId,programmaticCode,accountId,idType,occurredAt,amount';
const line = (id: string, days: number, amount: number | string = 1, account = shopper) =>
  `${code}-${id},${code},${account},EXTERNAL,${daysAgo(days)},${amount}`;
const file = (...lines: string[]) => [HEAD, ...lines, ''].join('\n');
const events = (fields: Json = {}) => ({ type: 'EVENTS', fileName: 'events.csv', ...fields });
const progressOf = async (account = shopper): Promise<Json[]> =>
  (await service.rest('GET', `/v1/gamification/missions/progress/${account}?idType=EXTERNAL`)).body;
const takeBack = async (id: string): Promise<Json> => {
  await ok(service.rest('POST', `/admin/imports/${id}/reverse`, { reason: 'The wrong file' }));
  return ended(service, id);
};

describe('a file of events', () => {
  test('is applied account by account, in the order in which the events occurred, and twice it changes nothing', async () => {
    await mission({ type: 'STREAK', target: 9, period: 'DAY', startsAt });
    const other = `${shopper}-other`;
    // A streak is kept only if day follows day, whatever the order of the rows.
    const rows = [line('c', 1), line('a', 3), line('x', 1, 1, other), line('b', 2), line('y', 2, 1, other)];
    const report = await load(service, file(...rows), events());
    expect(report).toMatchObject({ status: 'DONE', rowsRead: 5, rowsCreated: 5, rowsRefused: 0 });
    expect(report.summary).toMatchObject({ applied: 5, counted: 5, tooLate: 0 });
    expect(await progressOf()).toMatchObject([{ progress: 3 }]);
    expect(await progressOf(other)).toMatchObject([{ progress: 2 }]);
    const again = await load(service, file(...rows), events());
    expect(again).toMatchObject({ rowsCreated: 0, rowsUnchanged: 5, summary: { applied: 0, replayed: 5 } });
    expect(await progressOf()).toMatchObject([{ progress: 3 }]);
  });

  test('can be rehearsed: its sums are those of the application, and nothing has changed', async () => {
    await mission({ target: 5, startsAt, repeat: {}, rewardIds: [await points(50)] });
    const rows = file(line('a', 9, 12), line('b', 3, 3), line('x', 3, 9, `${shopper}-other`));
    const rehearsed = await load(service, rows, events({ rewards: 'POINTS', dryRun: true }));
    expect(rehearsed).toMatchObject({ status: 'DONE', dryRun: true });
    expect(await service.rest('GET', `/accounts/${shopper}?idType=EXTERNAL`)).toMatchObject({ status: 404 });
    const done = await load(service, rows, events({ rewards: 'POINTS' }));
    expect(done.summary).toEqual(rehearsed.summary);
    expect(done.summary).toMatchObject({ missionsCompleted: 4, rewards: [{ earned: 4, amount: 200 }] });
    expect(await balance()).toMatchObject({ available: 150 });
  });

  test('is taken back as a whole, once, without what was taken back alone', async () => {
    await mission({ target: 100, startsAt });
    await send('kept', 2);
    const { id } = await load(service, file(line('kept', 0, 2), line('a', 9, 10), line('b', 3, 20)), events());
    expect(await progressOf()).toMatchObject([{ progress: 32 }]);
    await reverse('b', { amount: 5 });
    expect(await takeBack(id)).toMatchObject({ status: 'REVERSED', rowsReversed: 2, rowsRefused: 0 });
    expect(await progressOf()).toMatchObject([{ progress: 2 }]);
    expect(await takeBack(id)).toMatchObject({ status: 'REVERSED', rowsReversed: 2 });
    const journal = await ok(service.rest('GET', `/admin/journal?programmaticCode=${code}&effect=REVERSED`));
    expect(journal.rows.map(({ reversal }: Json) => [reversal.amount, reversal.reason])).toEqual(
      expect.arrayContaining([
        [10, 'The wrong file'],
        [15, 'The wrong file'],
      ]),
    );
  });
});

describe('an import of events', () => {
  test('cannot be taken back if it is of another type, a rehearsal, open, or of another client', async () => {
    const accounts = await load(service, `externalId\n${shopper}\n`);
    const rehearsal = await load(service, file(line('a', 3)), events({ dryRun: true }));
    const open = await createImport(service, events());
    for (const { id } of [accounts, rehearsal, open])
      expect(await service.rest('POST', `/admin/imports/${id}/reverse`, {})).toMatchObject({
        status: 409,
        body: { code: 'IMPORT_NOT_REVERSIBLE' },
      });
    const { id } = await load(service, file(line('b', 3)), events());
    const stranger = restAs(service.baseUrl, await newTenant(service.db));
    expect(await stranger('POST', `/admin/imports/${id}/reverse`, {})).toMatchObject({
      status: 404,
      body: { code: 'IMPORT_NOT_FOUND' },
    });
  });

  test('with attributes and amounts says which rows count', async () => {
    const other = `${code}_ATTRIBUTES`;
    await created('/admin/event-definitions', {
      programmaticCode: other,
      type: 'SINGLE',
      attributes: [{ name: 'drink', type: 'STRING' }],
    });
    await mission({
      target: 9,
      programmaticCode: other,
      startsAt,
      conditions: { expression: 'event.drink == "tea"' },
    });
    const rows = ['tea', 'coffee', 'tea'].map(
      (drink, index) => `${other}-${index},${other},${shopper},EXTERNAL,${daysAgo(3)},${drink}`,
    );
    const head = 'operationId,programmaticCode,accountId,idType,occurredAt,attributes.drink';
    const report = await load(service, [head, ...rows, ''].join('\n'), events());
    expect(report).toMatchObject({ status: 'DONE', summary: { applied: 3, counted: 2 } });
    expect(await progressOf()).toMatchObject([{ progress: 2 }]);
  });
});

test('housekeeping deletes the staged rows of a cancelled import at once, and the places of events after 90 days', async () => {
  const { id } = await load(service, file(line('a', 3), line('b', 2)), events());
  const { id: cancelled } = await createImport(service, events());
  const rows = async (table: string) =>
    (
      await service.db.unitOfWork(service.clientId, (uow) =>
        uow.query(`select from ${table} where client_id = $1 and import_id = any($2::uuid[])`, [
          uow.clientId,
          [id, cancelled],
        ]),
      )
    ).length;
  await service.db.unitOfWork(service.clientId, (uow) =>
    insertStagedEvents(uow, [
      { importId: cancelled, subject: 'E x', occurredAt: 1, position: 1, line: 2, key: 'x', trigger: Buffer.alloc(1) },
    ]),
  );
  await ok(service.rest('POST', `/admin/imports/${cancelled}/cancel`, {}));
  const after = (days: number) => new Date(Date.now() + days * 86_400_000);
  await cleanUpImports(service.db, service.clientId, after(89));
  expect([await rows('csv_import_event'), await rows('csv_import_entry')]).toEqual([0, 2]);
  expect(await service.rest('POST', `/admin/imports/${cancelled}/reverse`, {})).toMatchObject({ status: 200 });
  await cleanUpImports(service.db, service.clientId, after(91));
  expect(await rows('csv_import_entry')).toBe(0);
});
