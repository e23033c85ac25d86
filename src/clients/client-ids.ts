import type { UnitOfWork } from '../persistence/database.ts';

/** Two clients at most, in a system unit of work: that with the id `first` before any other. */
export async function firstClients(
  uow: UnitOfWork,
  first: string | undefined,
): Promise<Array<{ readonly id: string; readonly name: string }>> {
  return uow.query('select id, name from client order by (id = $1::uuid) is true desc limit 2', [first ?? null]);
}

/** Every client, in a system unit of work. */
export async function clientIds(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>('select id from client order by id');
  return rows.map(({ id }) => id);
}
