import { expect } from 'vitest';
import type { Database } from '../../../src/persistence/database.ts';
import type { Rest, RestAnswer } from '../../support/service.ts';

type Json = RestAnswer['body'];

/** A call that must succeed. */
export async function ok(rest: Rest, path: string, body: Json): Promise<Json> {
  const answer = await rest('POST', path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** The time some days ago. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/**
 * Creates a catalogue in which a VISIT earns one reward of each type that a correction moves: points, pieces, a chest and a unit of a
 * counted product.
 */
export async function newVisits(rest: Rest): Promise<{ readonly audienceId: string }> {
  const created = async (path: string, body: Json): Promise<string> => (await ok(rest, path, body))['id'];
  await ok(rest, '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
  const audienceId = await created('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const puzzle = { name: 'A puzzle', stockMode: 'COUNTED', stock: 5, fragmentsRequired: 9 };
  const productId = await created('/admin/products', puzzle);
  const points = await created('/admin/rewards', { name: 'Ten', type: 'POINTS', amount: 10 });
  const entries = [{ rewardId: points, guaranteed: true }];
  const chestId = await created('/admin/chests', { name: 'A chest', entries });
  const rewardIds = [
    points,
    await created('/admin/rewards', { name: 'Pieces', type: 'FRAGMENTS', amount: 2, productId }),
    await created('/admin/rewards', { name: 'Chest', type: 'CHEST', amount: 1, chestId }),
    await created('/admin/rewards', { name: 'Puzzle', type: 'PRODUCTS', amount: 1, productId }),
  ];
  const mission = { type: 'MISSION', name: 'Visit', programmaticCode: 'VISIT', target: 1, startsAt: daysAgo(20) };
  await ok(rest, '/admin/missions', { audienceId, mission: { ...mission, rewardIds } });
  return { audienceId };
}

/** All rows of a client, except in two tables that a process writes without a call. */
export async function storedRows(db: Database, clientId: string): Promise<readonly object[]> {
  const tables = await db.systemUnitOfWork((uow) =>
    uow.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where a.attname = 'client_id' and c.relkind in ('r', 'p') and not c.relispartition
          and c.relnamespace = 'public'::regnamespace and c.relname not in ('credential', 'statistic_hour', 'call_count', 'refused_call')`,
    ),
  );
  const rows = tables.map(({ name }) => `select '${name}' as name, to_jsonb(t) as row from ${name} t`);
  return db.unitOfWork(clientId, (uow) =>
    uow.query(`select name, row from (${rows.join(' union all ')}) a order by name, row::text`),
  );
}

/** The process ids of other sessions of the database in a state: a condition on `pg_stat_activity`. */
export function sessionsThat(db: Database, condition: string): Promise<readonly { readonly pid: number }[]> {
  return db.systemUnitOfWork(async (uow) => {
    // Only the login sees the waits of its sessions.
    await uow.query('set local role none');
    return uow.query(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    );
  });
}

/** The condition of sessions that wait for a lock. */
const WAITS = `wait_event_type = 'Lock'`;

/** Resolves as soon as exactly so many other sessions of the database wait for a lock. */
export async function untilWaiting(db: Database, sessions: number): Promise<void> {
  await expect.poll(() => sessionsThat(db, WAITS), { interval: 5, timeout: 30_000 }).toHaveLength(sessions);
}
