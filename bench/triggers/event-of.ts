import { randomUUID } from 'node:crypto';
import { ACCOUNT_COUNT, accountIdOf } from './accounts.ts';

/** The options of the requests. */
export type TriggerRequestOptions = {
  readonly apiKey: string;
};

/** One event, in the sent form. */
export type SentEvent = {
  readonly programmaticCode: string;
  readonly accountId: string;
  readonly operationId: string;
};

/** The code of the sent events. */
export const EVENT_CODE = 'LOGIN';

/** Makes events of random accounts, each with a different operation id. All have the same length. */
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

/** The event as JSON, written by hand, because the generator shares the processor with the measured service. */
export function jsonOf({ programmaticCode, accountId, operationId }: SentEvent): string {
  return `{"programmaticCode":"${programmaticCode}","accountId":"${accountId}","operationId":"${operationId}"}`;
}
