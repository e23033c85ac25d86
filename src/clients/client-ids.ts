import type { UnitOfWork } from '../persistence/database.ts';

/** Every client, in a system unit of work. */
export async function clientIds(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ id: string }>('select id from client order by id');
  return rows.map(({ id }) => id);
}
