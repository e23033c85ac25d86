import type { RequestSource } from '../support/load-protocol.ts';
import { eventSource, jsonOf, type TriggerRequestOptions } from './event-of.ts';

/** One event in each request. */
const triggerRequests: RequestSource<TriggerRequestOptions> = ({ apiKey }) => {
  const next = eventSource();
  // Every body has the same length, so that the head never changes.
  const head =
    'POST /gamification/triggers HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
    `Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${jsonOf(next()).length}\r\n\r\n`;
  return () => head + jsonOf(next());
};

export default triggerRequests;
