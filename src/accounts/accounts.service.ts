import type { ServiceImpl } from '@connectrpc/connect';
import type { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { createAccount } from './create-account.ts';
import { type AccountReleaser, deleteAccount } from './delete-account.ts';
import { eraseAccount, type PersonalDataEraser } from './erase-account.ts';
import { getAccount } from './get-account.ts';
import { listAccounts } from './list-accounts.ts';
import { resolveAccount } from './resolve-account.ts';
import { updateAccount } from './update-account.ts';

/** What {@link accountsService} is made of. */
export type AccountsOptions = {
  readonly clock?: Clock;
  /** Of the modules above that keep something personal. */
  readonly erasers?: readonly PersonalDataEraser[];
  /** Of the modules above that hold something for an account only while it exists. */
  readonly releasers?: readonly AccountReleaser[];
};

/** The end users of one client. */
export function accountsService(db: Database, options: AccountsOptions = {}) {
  const { clock = systemClock, erasers = [], releasers = [] } = options;
  return {
    resolveAccount: (request, context) => resolveAccount(db, principalOf(context), request, clock),
    createAccount: (request, context) => createAccount(db, principalOf(context), request, clock),
    getAccount: (request, context) => getAccount(db, principalOf(context), request),
    updateAccount: (request, context) => updateAccount(db, principalOf(context), request, clock),
    listAccounts: (request, context) => listAccounts(db, principalOf(context), request),
    deleteAccount: (request, context) => deleteAccount(db, principalOf(context), request, { clock, releasers }),
    eraseAccount: (request, context) => eraseAccount(db, principalOf(context), request, { clock, erasers, releasers }),
  } satisfies ServiceImpl<typeof AccountService>;
}
