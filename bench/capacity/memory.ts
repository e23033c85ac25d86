import pLimit from 'p-limit';
import { newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/persistence/database.ts';
import { restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { EVENT_CODE } from '../worlds/requests.ts';
import { WORLD } from './world.ts';

/** The memory of a process with the catalogues of some clients. */
export type Memory = {
  readonly clients: number;
  /** Definitions in memory, as the service counts them. */
  readonly definitions: number;
  /** Bytes of the process, and used bytes of its heap. */
  readonly resident: number;
  readonly heap: number;
};

/** Missions of a campaign. */
const MISSIONS = 50;

/** Clients that send events in parallel. */
const AT_ONCE = 8;

/**
 * Adds clients with a catalogue each, starts a process, and sends an event of every client, which loads its catalogue. It then sends 20
 * more, so that the garbage of the first is collected.
 */
export async function measureMemory(
  workbench: Workbench,
  databaseUrl: string,
  db: Database,
  clients: number,
): Promise<Memory> {
  const keys: string[] = [];
  for (let number = 0; number < clients; number += 1) keys.push(await clientWithCatalogue(db));
  const { baseUrl, stop } = await startServiceProcess(workbench, {
    // The folder of this name has the key of the secrets.
    name: WORLD,
    databaseUrl,
    env: { LAUREL_HOUSEKEEPING: 'false' },
  });
  const limit = pLimit(AT_ONCE);
  const triggers = Array.from({ length: 20 }, (_, account) => ({
    programmaticCode: EVENT_CODE,
    accountId: `user-${account}`,
    idType: 'EXTERNAL',
  }));
  const send = (key: string) =>
    limit(() => restCalls(baseUrl, key)('POST', '/gamification/triggers/batch', { triggers: triggers.slice(0, 2) }));
  await Promise.all(keys.map(send));
  await Promise.all(keys.map(send));
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  await stop();
  return {
    clients,
    definitions: value('laurel_catalog_cache_definitions'),
    resident: value('process_resident_memory_bytes'),
    heap: value('nodejs_heap_size_used_bytes'),
  };
}

/** Creates a client with a catalogue, directly in the tables, because there are many. Returns its API key. */
async function clientWithCatalogue(db: Database): Promise<string> {
  const { clientId, apiKey } = await createTenant(db);
  const [audienceId, rewardId, campaignId] = [newId(), newId(), newId()];
  await db.unitOfWork(clientId, async (uow) => {
    const insert = (sql: string, values: readonly unknown[]) => uow.query(`insert into ${sql}`, [clientId, ...values]);
    await insert(`audience (client_id, id, name, kind) values ($1, $2, 'Everybody', 'EVERYONE')`, [audienceId]);
    await insert(`reward (client_id, id, name, type, amount) values ($1, $2, 'Points', 'POINTS', 10)`, [rewardId]);
    await insert(`event_definition (client_id, id, name, programmatic_code, type) values ($1, $2, $3, $3, 'SINGLE')`, [
      newId(),
      EVENT_CODE,
    ]);
    await insert(
      `campaign (client_id, id, name, status, audience_ids, reward_ids, claim_policy, activated_at)
       values ($1, $2, 'Campaign', 'ACTIVE', array[$3::uuid], array[$4::uuid], 'AUTOMATIC', now())`,
      [campaignId, audienceId, rewardId],
    );
    await insert(
      `mission (client_id, id, campaign_id, type, name, programmatic_code, target, position, reward_ids)
       select $1, uuidv7(), $2, 'MISSION', 'Mission ' || number, $3 || case number when 0 then '' else number::text end,
              1000000, number, '{}' from generate_series(0, ${MISSIONS - 1}) number`,
      [campaignId, EVENT_CODE],
    );
  });
  return apiKey;
}
