import { expect } from 'vitest';
import { after } from '../../../src/persistence/moments.ts';
import { deliveriesOf, enqueue, type Webhooks } from './fixture.ts';
import type { Answer } from './receiver.ts';

/** A row that waits for a retry. */
type RetryRow = {
  id: string;
  attempts: number;
  failed_retries: number;
  first_attempt_at: Date;
  next_attempt_at: Date;
  lease_until: Date | null;
  last_outcome: string;
  last_status_code: number | null;
  last_error: string | null;
};

/** Answers with a status. */
export const status =
  (code: number, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end();

/** The actions of a test of retries on its open webhooks. */
export function retryTools(webhooks: () => Webhooks) {
  const sql = <Row extends object>(clientId: string, text: string, values: unknown[] = []): Promise<Row[]> =>
    webhooks().db.unitOfWork(clientId, (uow) => uow.query<Row>(text, values));
  const retriesOf = (clientId: string) => sql<RetryRow>(clientId, 'select * from webhook_retry order by id');

  /** Lets time pass for waiting messages, by moving their times into the past. */
  const pass = (clientId: string, ms: number) =>
    sql(
      clientId,
      `update webhook_retry set first_attempt_at = ${after('first_attempt_at', `$1 * interval '1 ms'`)},
                              next_attempt_at = ${after('next_attempt_at', `$1 * interval '1 ms'`)}`,
      [-ms],
    );

  /** The milliseconds until the next retry of a client, at least 1. */
  async function msToNext(clientId: string): Promise<number> {
    const [row] = await sql<{ ms: number }>(
      clientId,
      `select greatest(1, ceil(extract(epoch from min(next_attempt_at) - clock_timestamp()) * 1000))::int as ms from webhook_retry`,
    );
    return row!.ms;
  }

  /** Waits until the log has `count` attempts of a client. */
  async function logged(clientId: string, count: number) {
    await expect
      .poll(async () => (await deliveriesOf(webhooks().db, clientId)).length, { timeout: 10_000 })
      .toBe(count);
    return deliveriesOf(webhooks().db, clientId);
  }

  /** A client with a webhook that retries and a receiver with the given answer, with one message that failed once. */
  async function failedOnce(answer: Answer, settings = {}) {
    const client = await webhooks().configured({ retries: true, ...settings }, answer);
    const dispatcher = webhooks().dispatch();
    const [message] = await enqueue(webhooks().db, client.clientId, ['[1]']);
    dispatcher.wake(client.clientId, [message!]);
    const [first] = await logged(client.clientId, 1);
    return { ...client, dispatcher, id: message!.id, first: first! };
  }

  return { sql, retriesOf, pass, msToNext, logged, failedOnce };
}
