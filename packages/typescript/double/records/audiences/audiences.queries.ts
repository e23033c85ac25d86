import { badRequest } from '../../../../../src/kernel/errors/domain-error.ts';
import { sentence } from '../../../../../src/kernel/sentence.ts';
import type { UnitOfWork } from '../../../../../src/persistence/database.ts';
import { type Row, storeOf } from '../../store.ts';

const present = (uow: UnitOfWork): Row[] =>
  storeOf(uow)
    .rows('audience')
    .filter(({ deletedAt }) => deletedAt === null);

export async function audiencesWithoutRows(uow: UnitOfWork): Promise<Row[]> {
  return present(uow).filter(({ kind }) => kind !== 'MANUAL');
}

/** Audiences of the double have no members by hand. */
export async function audiencesOfAccounts(): Promise<Map<string, Map<string, number>>> {
  return new Map();
}

export async function formerAudiencesOfAccounts(): Promise<Map<string, Map<string, never[]>>> {
  return new Map();
}

export async function requireAudiences(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  const known = new Set(present(uow).map(({ id }) => id as string));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw badRequest(sentence`There is no audience with the id ${unknown}. Send ids of existing audiences.`);
}
