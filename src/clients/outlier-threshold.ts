import type { UnitOfWork } from '../persistence/database.ts';

/** How far above the usual an account of the client must be to need attention, in usual deviations; 0 compares none. */
export async function outlierThreshold(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ threshold: number }>(
    'select outlier_threshold as threshold from client where id = $1',
    [uow.clientId],
  );
  return row?.threshold ?? 0;
}
