import { randomUUID } from 'node:crypto';
import type { RequestSource } from '../support/load-protocol.ts';
import { accountIdOf } from './accounts.ts';

/** The options of the requests. */
export type GrowthOptions = {
  readonly apiKey: string;
  readonly accountCount: number;
};

/** Event codes of equal length, one for each mission. */
export const EVENT_CODES = ['EVENT_1', 'EVENT_2', 'EVENT_3', 'EVENT_4', 'EVENT_5'] as const;

/** Events of random accounts and codes, each with a different operation id. */
const triggerRequests: RequestSource<GrowthOptions> = ({ apiKey, accountCount }) => {
  const run = randomUUID();
  let sent = 0;
  const next = () => {
    const code = EVENT_CODES[Math.floor(Math.random() * EVENT_CODES.length)]!;
    const accountId = accountIdOf(Math.floor(Math.random() * accountCount));
    const operation = String(sent++).padStart(9, '0');
    return `{"programmaticCode":"${code}","accountId":"${accountId}","operationId":"${run}-${operation}"}`;
  };
  // Every body has the same length, so that the head never changes.
  const head =
    'POST /gamification/triggers HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
    `Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${next().length}\r\n\r\n`;
  return () => head + next();
};

export default triggerRequests;
