import type { RequestSource } from '../support/load-protocol.ts';
import { ACCOUNT_COUNT, accountIdOf } from './accounts.ts';
import type { TriggerRequestOptions } from './event-of.ts';

/** Reads of the feeds of random accounts. */
const feedRequests: RequestSource<TriggerRequestOptions> = ({ apiKey }) => {
  const head = ` HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
  return () => `GET /v1/feed/account/${accountIdOf(Math.floor(Math.random() * ACCOUNT_COUNT))}${head}`;
};

export default feedRequests;
