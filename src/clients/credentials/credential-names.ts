import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';

const NAME = lookUpByKey({ select: 'id, name', from: 'credential', key: { id: 'wanted.id' } });

/** The names of credentials of the unit of work's client by id, also of revoked ones; those of other clients are left out. */
export async function credentialNames(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<{ id: string; name: string }>(
    `select c.id, c.name from unnest($2::uuid[]) as wanted(id) cross join ${NAME} c`,
    [uow.clientId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
