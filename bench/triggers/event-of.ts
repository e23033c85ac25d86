import { randomUUID } from 'node:crypto';
import { ACCOUNT_COUNT, accountIdOf } from './accounts.ts';

/** What the requests need to know. */
export type TriggerRequestOptions = {
  readonly apiKey: string;
};

/** One event, as it is sent. */
export type SentEvent = {
  readonly programmaticCode: string;
  readonly accountId: string;
  readonly operationId: string;
};

/** The code of the event that is sent. */
export const EVENT_CODE = 'LOGIN';

/** Makes events of accounts chosen at random, each with an operation id of its own. All are equally long. */
export function eventSource(): () => SentEvent {
  const accountIds = Array.from({ length: ACCOUNT_COUNT }, (_, number) => accountIdOf(number));
  const run = randomUUID();
  let sent = 0;
  return () => ({
    programmaticCode: EVENT_CODE,
    accountId: accountIds[Math.floor(Math.random() * ACCOUNT_COUNT)]!,
    operationId: `${run}-${String(sent++).padStart(9, '0')}`,
  });
}

/** The event as JSON, written by hand: it takes the time of the service that is measured. */
export function jsonOf({ programmaticCode, accountId, operationId }: SentEvent): string {
  return `{"programmaticCode":"${programmaticCode}","accountId":"${accountId}","operationId":"${operationId}"}`;
}
