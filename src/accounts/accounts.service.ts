import type { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { createAccount } from './create-account.ts';
import { type AccountReleaser, deleteAccount } from './delete-account.ts';
import { eraseAccount } from './erasure/erase-account.ts';
import { getAccount } from './get-account.ts';
import { listAccounts } from './list-accounts.ts';
import { resolveAccount } from './resolving/resolve-account.ts';
import { type AccountMover, updateAccount } from './update-account.ts';
import type { Handlers } from '../clients/call.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';

/** The dependencies of {@link accountsService}. */
export type AccountsOptions = {
  /** The data that every module keeps about an account. */
  readonly parts?: readonly AccountPart[];
  /** Functions of the modules above that release what they hold for a deleted account. */
  readonly releasers?: readonly AccountReleaser[];
  /** Functions of the modules above that follow a change of the time zone. */
  readonly movers?: readonly AccountMover[];
};

/** The end users of one client. */
export function accountsService({ parts = [], releasers = [], movers = [] }: AccountsOptions = {}) {
  return {
    resolveAccount,
    createAccount,
    getAccount,
    updateAccount: (call, request) => updateAccount(call, request, movers),
    listAccounts,
    deleteAccount: (call, request) => deleteAccount(call, request, releasers),
    eraseAccount: (call, request) => eraseAccount(call, request, { parts, releasers }),
  } satisfies Handlers<typeof AccountService>;
}
