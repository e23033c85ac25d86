import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { storeOf } from '../../store.ts';

export async function clientZones(uow: UnitOfWork) {
  return { timeZone: storeOf(uow).timeZone, past: [] };
}
