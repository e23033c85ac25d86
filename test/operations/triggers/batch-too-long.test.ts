import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { untilApplied } from './inbox-fixture.ts';

let service: TestService;
let database: TestDatabase;

/** The limit of a statement in milliseconds; 15 seconds in production. */
const LIMIT = 400;

beforeAll(async () => {
  database = await testDatabase({ statementTimeoutMs: LIMIT });
  service = await startService({ database });
  await newGame(service, { missions: [{ target: 1_000_000 }] });
  await slowDown();
});
afterAll(() => service.close());

/** Makes PostgreSQL take ten milliseconds for each assignment: 40 of them together reach the limit of a statement. */
async function slowDown(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return new; end';
    create trigger slowly before insert on assignment for each row execute function slowly();
    grant execute on function slowly() to public`);
  await client.end();
}

const events = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({
    programmaticCode: 'LOGIN',
    accountId: `${name}-${index}`,
    idType: 'EXTERNAL',
    operationId: `${name}-operation-${index}`,
  }));

async function progress(accountId: string): Promise<number> {
  const { body } = await service.rest('GET', `/v1/feed/account/${accountId}?idType=EXTERNAL`);
  return body[0].progress;
}

test('a batch that takes longer than a statement may is applied in parts, each event once', async () => {
  const triggers = events(100, 'now');
  const { status, body } = await service.rest('POST', '/gamification/triggers/batch', { triggers });
  expect(status).toBe(200);
  expect(body.results).toEqual(triggers.map(() => expect.objectContaining({ result: expect.anything() })));
  for (const { accountId } of triggers) expect(await progress(accountId)).toBe(1);
});

test('asynchronous events of such a batch are applied as well', async () => {
  const triggers = events(60, 'later');
  for (const trigger of triggers) await service.rest('POST', '/gamification/triggers/async', trigger);
  await untilApplied(service, 15_000);
  for (const { accountId } of triggers) expect(await progress(accountId)).toBe(1);
});
