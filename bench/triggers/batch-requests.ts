import type { RequestSource } from '../support/load-protocol.ts';
import { eventSource, jsonOf, type TriggerRequestOptions } from './event-of.ts';

/** Events in one request: the most of one transaction. */
export const EVENTS_PER_BATCH = 200;

/** Many events in each request. */
const batchRequests: RequestSource<TriggerRequestOptions> = ({ apiKey }) => {
  const next = eventSource();
  const body = () => `{"triggers":[${Array.from({ length: EVENTS_PER_BATCH }, () => jsonOf(next())).join(',')}]}`;
  // Every body has the same length, so that the head never changes.
  const head =
    'POST /gamification/triggers/batch HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
    `Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body().length}\r\n\r\n`;
  return () => head + body();
};

export default batchRequests;
