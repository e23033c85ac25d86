import { once } from 'node:events';
import { exportChain } from '../audit/chain/chain.queries.ts';
import { clientExists } from '../clients/credentials/authenticate.queries.ts';
import type { Config } from '../app/config.ts';
import { parseId } from '../kernel/ids.ts';
import { createCommandLogger } from '../app/logger.ts';
import { openServiceDatabase } from './database/open-service-database.ts';

/** The options of an export on the command line. */
export type TrailOptions = { readonly client?: string | undefined; readonly after?: string | undefined };

/** `laurel audit-export`: writes a client's audit log as NDJSON, in its chain with its checkpoints. */
export async function exportAudit(config: Config, { client, after = '0' }: TrailOptions): Promise<void> {
  const clientId = parseId(client ?? '');
  if (!clientId) throw new Error('Send --client with the UUID of the client.');
  if (!/^\d{1,15}$/.test(after)) throw new Error('Send --after with a position: a whole number, 0 for the beginning.');
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    if (!(await clientExists(database.db, clientId))) throw new Error(`There is no client ${clientId}.`);
    for await (const line of exportChain(database.db, clientId, { after: Number(after) })) {
      if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
    }
  } finally {
    await database.close();
  }
}
