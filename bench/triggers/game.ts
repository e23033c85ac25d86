import { assignmentId } from '../../src/engine/assignment.ts';
import type { Database } from '../../src/persistence/database.ts';
import { CLIENT_ROW } from '../../src/persistence/client-row.ts';
import type { Tenant } from '../support/tenant.ts';
import { ACCOUNT_COUNT, accountIdOf } from './accounts.ts';
import { EVENT_CODE } from './event-of.ts';

/** Events that complete the mission; no account reaches it, so that every event does the same work. */
const TARGET = 1_000_000;

/** Accounts created by one statement. */
const CHUNK = 10_000;

/**
 * Creates one active campaign of one mission, through the administration API as an operator would. The accounts, each with an assignment in
 * progress, are written directly to the tables, because there are many.
 */
export async function setUpGame(db: Database, baseUrl: string, tenant: Tenant): Promise<void> {
  const admin = adminOf(baseUrl, tenant);
  await admin('/admin/event-definitions', { programmaticCode: EVENT_CODE, type: 'SINGLE' });
  const audience = await admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const reward = await admin('/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const campaign = await admin('/admin/campaigns', {
    name: 'Come back',
    audienceIds: [audience.id],
    rewardIds: [reward.id],
    missions: [{ type: 'MISSION', name: 'Log in often', programmaticCode: EVENT_CODE, target: TARGET }],
  });
  await admin(`/admin/campaigns/${campaign.id}/activate`);
  await createAccounts(db, tenant.clientId, campaign.missions[0]!.id);
}

/** The effects in the database: the sum of all progress, and the number of stored operations. */
export async function countEffects(db: Database, clientId: string): Promise<{ progress: number; operations: number }> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ progress: string; operations: string }>(
      `select (select sum(progress) from assignment where client_id = $1) as progress,
              (select count(*) from operation where client_id = $1) as operations`,
      [clientId],
    ),
  );
  return { progress: Number(row?.progress), operations: Number(row?.operations) };
}

async function createAccounts(db: Database, clientId: string, missionId: string): Promise<void> {
  for (let first = 0; first < ACCOUNT_COUNT; first += CHUNK) {
    const ids = Array.from({ length: CHUNK }, (_, index) => accountIdOf(first + index));
    const assignmentIds = ids.map((id) => assignmentId(missionId, id, ''));
    await db.unitOfWork(clientId, async (uow) => {
      await uow.query(
        `insert into account (client_id, id) select client_row.client_id, a.id from ${CLIENT_ROW} cross join unnest($2::uuid[]) as a(id)`,
        [clientId, ids],
      );
      await uow.query(
        `insert into assignment (client_id, account_id, mission_id, id, progress, status, started_at)
         select client_row.client_id, account_id, $2, id, 0, 'ACTIVE', now()
           from ${CLIENT_ROW} cross join unnest($3::uuid[], $4::uuid[]) as a(account_id, id)`,
        [clientId, missionId, ids, assignmentIds],
      );
    });
  }
}

/** The used fields of the answers. */
type Created = { readonly id: string; readonly missions: readonly { readonly id: string }[] };

function adminOf(baseUrl: string, { adminToken }: Tenant) {
  return async (path: string, body?: unknown): Promise<Created> => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Created;
  };
}
