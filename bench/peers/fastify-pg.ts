// The event with Fastify and the driver alone: hand-written statements, each prepared, one transaction per event.
import pg from 'pg';
import { missions, type Progress, progressed, type Trigger, type TriggerAnswer } from './event.ts';
import { peerOptions, serve } from './serve.ts';

/** The same size as the service's pool. */
const POOL_MAX = 16;

const options = peerOptions();
const pool = new pg.Pool({ connectionString: options.databaseUrl, max: POOL_MAX });
await serve(options, applyEvent);

async function applyEvent(trigger: Trigger): Promise<TriggerAnswer | undefined> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const answer = await moveMission(client, trigger);
    const isNew = answer !== undefined && (await storeOperation(client, trigger, answer));
    if (!isNew) {
      await client.query('rollback');
      return answer && (await storedAnswer(client, trigger));
    }
    await leaveMessage(client, trigger, answer);
    await client.query('commit');
    return answer;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function moveMission(client: pg.PoolClient, trigger: Trigger): Promise<TriggerAnswer | undefined> {
  const mission = missions.get(trigger.programmaticCode)!;
  const { rows } = await client.query<Progress>({
    name: 'lock assignment',
    text: `select progress, target from assignment where account_id = $1 and mission_id = $2 for update`,
    values: [trigger.accountId, mission.id],
  });
  const [before] = rows;
  if (before === undefined) return undefined;
  const after = progressed(before, trigger);
  await client.query({
    name: 'update assignment',
    text: `update assignment
              set progress = $3, status = $4, updated_at = now(),
                  completed_at = case when $4 = 'COMPLETED' then now() end
            where account_id = $1 and mission_id = $2`,
    values: [trigger.accountId, mission.id, after.progress, after.status],
  });
  const { progress: previousProgress, target } = before;
  const moved = { missionId: mission.id, name: mission.name, previousProgress, target, ...after };
  return { progressedMissions: [moved], rewards: [] };
}

/** Stores the operation. Returns false if it was done before. */
async function storeOperation(client: pg.PoolClient, trigger: Trigger, answer: TriggerAnswer): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'insert operation',
    text: `insert into operation (id, account_id, response) values ($1, $2, $3) on conflict do nothing`,
    values: [trigger.operationId, trigger.accountId, JSON.stringify(answer)],
  });
  return rowCount === 1;
}

async function storedAnswer(client: pg.PoolClient, { operationId }: Trigger): Promise<TriggerAnswer | undefined> {
  const sql = 'select response from operation where id = $1';
  const { rows } = await client.query<{ response: TriggerAnswer }>(sql, [operationId]);
  return rows[0]?.response;
}

async function leaveMessage(client: pg.PoolClient, trigger: Trigger, answer: TriggerAnswer): Promise<void> {
  await client.query({
    name: 'insert message',
    text: `insert into outbox (account_id, body) values ($1, $2)`,
    values: [trigger.accountId, JSON.stringify(answer.progressedMissions)],
  });
}
