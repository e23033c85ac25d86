import { randomUUID } from 'node:crypto';
import type { RequestSource } from '../support/load-protocol.ts';
import { ACCOUNT_COUNT, accountIdOf } from './accounts.ts';

/** What the requests need to know. */
export type TriggerRequestOptions = {
  readonly apiKey: string;
};

/** The code of the event that is sent. */
export const EVENT_CODE = 'LOGIN';

/** Events of accounts chosen at random, each with an operation id of its own. */
const triggerRequests: RequestSource<TriggerRequestOptions> = ({ apiKey }) => {
  const accountIds = Array.from({ length: ACCOUNT_COUNT }, (_, number) => accountIdOf(number));
  const run = randomUUID();
  let sent = 0;
  const bodyOf = (accountId: string, operation: string) =>
    `{"programmaticCode":"${EVENT_CODE}","accountId":"${accountId}","operationId":"${run}-${operation}"}`;
  const operationOf = (number: number) => String(number).padStart(9, '0');
  // Every body is equally long, so that the head never changes.
  const head =
    'POST /gamification/triggers HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
    `Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${bodyOf(accountIdOf(0), operationOf(0)).length}\r\n\r\n`;
  return () => {
    const accountId = accountIds[Math.floor(Math.random() * ACCOUNT_COUNT)]!;
    return head + bodyOf(accountId, operationOf(sent++));
  };
};

export default triggerRequests;
