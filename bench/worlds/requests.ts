import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestSource } from '../support/load-protocol.ts';

/** The options of the requests. */
export type WorldRequestOptions = {
  /** A JSON file with the API keys of the clients: 2,000 of them are too long for a command line. */
  readonly keys: string;
  /** Accounts of each client. */
  readonly accountCount: number;
  /** The read path, with `{id}` for the account; without it, events are sent. */
  readonly path?: string | undefined;
};

/** The code of the sent events. */
export const EVENT_CODE = 'LOGIN';

/** The integrator's id of an account; all have the same length. */
export function externalIdOf(number: number): string {
  return `user-${String(number).padStart(7, '0')}`;
}

/** Events of random accounts, each with a different operation id, or reads of such accounts. */
const worldRequests: RequestSource<WorldRequestOptions> = ({ keys, accountCount, path }) => {
  const apiKeys = JSON.parse(readFileSync(keys, 'utf8')) as string[];
  const any = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!;
  const account = () => externalIdOf(Math.floor(Math.random() * accountCount));
  const head = () => ` HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${any(apiKeys)}\r\n`;
  if (path !== undefined) {
    const [before = '', after = ''] = path.split('{id}');
    return () => `GET ${before}${account()}${after}?idType=EXTERNAL${head()}\r\n`;
  }
  const run = randomUUID();
  let sent = 0;
  return () => {
    const operation = `${run}-${sent++}`;
    const body = `{"programmaticCode":"${EVENT_CODE}","accountId":"${account()}","idType":"EXTERNAL","operationId":"${operation}"}`;
    return `POST /gamification/triggers${head()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
};

export default worldRequests;
