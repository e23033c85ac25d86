import type { UnitOfWork } from '../persistence/database.ts';

/** At most two client ids, in a system unit of work; the id `first` comes before others. */
export async function firstClients(
  uow: UnitOfWork,
  first: string | undefined,
): Promise<Array<{ readonly id: string; readonly name: string }>> {
  return uow.query('select id, name from client order by (id = $1::uuid) is true desc limit 2', [first ?? null]);
}

/**
 * The clients for which `due` finds a row, in a system unit of work: one statement with one index look-up per client.
 * @param due SQL that ends in `limit 1` and calls the client `c.id`
 */
export async function clientsWith(uow: UnitOfWork, due: string, values: readonly unknown[] = []): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select c.id from client c cross join lateral (${due}) due order by c.id`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * The clients for which a condition holds, in a system unit of work.
 * @param condition SQL that calls the client `c`
 */
export async function clientsWhere(uow: UnitOfWork, condition: string, values: readonly unknown[]): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(`select c.id from client c where ${condition} order by c.id`, values);
  return rows.map(({ id }) => id);
}

/** The ids of all clients, in a system unit of work. */
export async function clientIds(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>('select id from client order by id');
  return rows.map(({ id }) => id);
}
