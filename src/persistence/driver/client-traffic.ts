import type pg from 'pg';
import { bytesReceived, type Client } from './client.ts';
import type { StatementResult, Traffic } from './statement.ts';

/**
 * Counts what anyone sends on a client and waits for by a promise. Before its first statement.
 * @param onResults gets the results of each answer
 */
export function trafficOf(client: Client, onResults: (results: readonly StatementResult[]) => void): () => Traffic {
  const ask = client.query.bind(client) as (...query: unknown[]) => unknown;
  let sent = 0;
  let answered = 0;
  // pg's own pool and MikroORM send by it as well.
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
