import type { RequestSource } from '../support/load-protocol.ts';
import { accountIdOf } from './accounts.ts';
import type { GrowthOptions } from './trigger-requests.ts';

/** The read path, with `{id}` for the account. */
export type ReadOptions = GrowthOptions & { readonly path: string };

/** Reads of random accounts. */
const readRequests: RequestSource<ReadOptions> = ({ apiKey, accountCount, path }) => {
  const [before = '', after = ''] = path.split('{id}');
  const head = ` HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
  return () => `GET ${before}${accountIdOf(Math.floor(Math.random() * accountCount))}${after}${head}`;
};

export default readRequests;
