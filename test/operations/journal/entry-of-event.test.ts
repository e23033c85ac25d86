import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { untilApplied } from '../triggers/inbox-fixture.ts';
import { codedGame, type Game, journalOf } from './fixture.ts';

let service: TestService;
let journal: ReturnType<typeof journalOf>;

beforeAll(async () => {
  service = await startService();
  journal = journalOf(service);
});
afterAll(() => service.close());

const gameOf = (...what: Game) => codedGame(service, ...what);

describe('an entry and its event', () => {
  test('a repeat of an operation adds no entry', async () => {
    const { code } = await gameOf({ target: 9 });
    const event = {
      programmaticCode: code,
      accountId: 'ada',
      idType: 'EXTERNAL',
      metadata: {},
      operationId: randomUUID(),
    };
    await service.rest('POST', '/gamification/triggers', event);
    await service.rest('POST', '/gamification/triggers', event);
    await service.rest('POST', '/gamification/triggers/async', event);
    await untilApplied(service);
    expect(await journal.entries({ operationId: event.operationId })).toHaveLength(1);
  });

  test('an event that is rolled back leaves none, and neither does a simulated or a refused one', async () => {
    const { code } = await gameOf({ target: 9 });
    const event = { programmaticCode: code, accountId: 'eve', idType: 'EXTERNAL', metadata: {} };
    await service.rest('POST', '/gamification/triggers/simulate', { trigger: event });
    const id = await journal.accountId('eve');
    const asOwner = (sql: string) =>
      service.db.systemUnitOfWork(async (uow) => {
        await uow.query('set local role none');
        await uow.query(sql);
      });
    await asOwner(`create function poison() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$`);
    await asOwner(
      `create trigger poison before insert on assignment for each row when (new.account_id = '${id}') execute function poison()`,
    );
    expect((await service.rest('POST', '/gamification/triggers', event)).status).toBe(500);
    await asOwner(`drop trigger poison on assignment`);
    await service.rest('POST', '/gamification/triggers', { ...event, programmaticCode: 'THERE_IS_NONE' });
    expect(await journal.entries({ accountId: id })).toEqual([]);
  });
});
