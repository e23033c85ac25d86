import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { storeOf } from '../../store.ts';

export async function audienceNames(uow: UnitOfWork): Promise<Map<string, string>> {
  const rows = storeOf(uow).rows('audience');
  return new Map(
    rows.flatMap(({ id, name, kind, deletedAt }) => (kind === 'RULE' || deletedAt !== null ? [] : [[id, name]])),
  );
}
