import { randomUUID } from 'node:crypto';
import { accountIdOf } from '../growth/accounts.ts';
import type { RequestSource } from '../support/load-protocol.ts';

/** The options of the requests. */
export type OrderOptions = {
  readonly apiKey: string;
  readonly accountCount: number;
  /** One event in each request, instead of {@link EVENTS_PER_BATCH}. */
  readonly isSingle?: boolean;
};

/** The code of the sent events. */
export const EVENT_CODE = 'ORDER';

/** The amount of each event. */
export const AMOUNT = 25;

/** The attributes of the events, one of each type. */
export const ATTRIBUTES = [
  { name: 'category', type: 'STRING', allowedValues: ['tea', 'coffee'] },
  { name: 'weight', type: 'NUMBER' },
  { name: 'isFirst', type: 'BOOLEAN' },
  { name: 'deliverAt', type: 'TIMESTAMP' },
  { name: 'tags', type: 'STRING_LIST' },
];

const METADATA = JSON.stringify({
  amount: AMOUNT,
  category: 'tea',
  weight: 1.25,
  isFirst: false,
  deliverAt: '2026-11-28T09:00:00Z',
  tags: ['green', 'loose'],
});

/** Events in one request: the most of one transaction. */
export const EVENTS_PER_BATCH = 200;

/** Events of random accounts, each with a different operation id and the same attributes. */
const orderRequests: RequestSource<OrderOptions> = ({ apiKey, accountCount, isSingle = false }) => {
  const run = randomUUID();
  let sent = 0;
  const next = () => {
    const accountId = accountIdOf(Math.floor(Math.random() * accountCount));
    const operation = String(sent++).padStart(9, '0');
    return `{"programmaticCode":"${EVENT_CODE}","accountId":"${accountId}","operationId":"${run}-${operation}","metadata":${METADATA}}`;
  };
  const body = isSingle ? next : () => `{"triggers":[${Array.from({ length: EVENTS_PER_BATCH }, next).join(',')}]}`;
  // Every body has the same length, so that the head never changes.
  const head =
    `POST /gamification/triggers${isSingle ? '' : '/batch'} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body().length}\r\n\r\n`;
  return () => head + body();
};

export default orderRequests;
