import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestSource } from '../support/load-protocol.ts';

/** What the requests need to know. */
export type WorldRequestOptions = {
  /** A file with the API keys of the clients, as JSON: 2,000 of them are too many for a command line. */
  readonly keys: string;
  /** Of each client. */
  readonly accountCount: number;
  /** A path to read, with `{id}` for the account; events are sent without one. */
  readonly path?: string | undefined;
};

/** The event that is sent. */
export const EVENT_CODE = 'LOGIN';

/** The integrator's own id of an account; all are equally long. */
export function externalIdOf(number: number): string {
  return `user-${String(number).padStart(7, '0')}`;
}

/** Events of accounts chosen at random, each with an operation id of its own, or reads of such accounts. */
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
