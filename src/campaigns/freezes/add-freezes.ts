import type { Account } from '../../accounts/account.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/client-catalog.ts';
import { settleFreezes } from './settle-freezes.ts';
import type { FreezeEntry, NewFreezeEntry } from './freeze-entry.ts';
import { insertFreezeEntries } from './streak-freezes.queries.ts';

/** A line of new freezes, and the number that the account owns then. */
export type AddedFreezes = { readonly entry: FreezeEntry; readonly owned: number };

/**
 * Gives freezes to a locked account, after those that it has used by now.
 * @throws DomainError `TOO_MANY_STREAK_FREEZES`
 */
export async function addFreezes(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  account: Account,
  line: Omit<NewFreezeEntry, 'accountId'>,
): Promise<AddedFreezes> {
  const owned = await settleFreezes(uow, catalog, account, line.at);
  const room = Math.max(0, catalog.streakSettings.freezesMax - owned);
  if (line.amount > room) throw tooMany(owned, room);
  const [entry] = await insertFreezeEntries(uow, [{ ...line, accountId: account.id }], line.at);
  return { entry: entry!, owned: owned + line.amount };
}

function tooMany(owned: number, room: number): DomainError {
  return new DomainError(
    'TOO_MANY_STREAK_FREEZES',
    sentence`The account has ${owned} streak freezes, and room for ${room} more. Ask for at most so many.`,
  );
}
