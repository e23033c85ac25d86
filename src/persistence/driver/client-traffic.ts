import type pg from 'pg';
import { bytesReceived, type Client } from './client.ts';
import type { StatementResult, Traffic } from './statement.ts';

/**
 * Counts the statements on a client that return a promise. Call it before the first statement.
 * @param onResults receives the results of each answer
 */
export function trafficOf(client: Client, onResults: (results: readonly StatementResult[]) => void): () => Traffic {
  const ask = client.query.bind(client) as (...query: unknown[]) => unknown;
  let sent = 0;
  let answered = 0;
  // pg's own pool and MikroORM also send with this method.
  client.query = ((...query: unknown[]) => {
    const answer = ask(...query);
    if (!(answer instanceof Promise)) return answer;
    sent += 1;
    answer.then(
      (results: pg.QueryResult | pg.QueryResult[]) => {
        answered += 1;
        onResults([results].flat());
      },
      () => (answered += 1),
    );
    return answer;
  }) as Client['query'];
  return () => ({ sent, answered, received: bytesReceived(client) });
}
