import type { UnitOfWork } from '../../persistence/database.ts';

/** The ids of the client's console users, or of those with an e-mail address in lower case; at most two. */
export async function consoleUserIds(uow: UnitOfWork, email?: string): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    'select id from console_user where client_id = $1 and (lower(email) = $2) is not false limit 2',
    [uow.clientId, email ?? null],
  );
  return rows.map(({ id }) => id);
}
