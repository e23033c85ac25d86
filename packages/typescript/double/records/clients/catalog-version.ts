import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { storeOf } from '../../store.ts';

export async function catalogVersion(uow: UnitOfWork): Promise<bigint> {
  return storeOf(uow).catalogVersion;
}

export async function bumpCatalogVersion(uow: UnitOfWork): Promise<void> {
  storeOf(uow).catalogVersion += 1n;
}

/** Units of work never run at the same time. */
export async function lockCatalog(): Promise<void> {}
