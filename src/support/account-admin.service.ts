import type { AccountAdminService } from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import type { EraseOptions } from '../accounts/erasure/erase-account.ts';
import type { AccountMover } from '../accounts/update-account.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Handlers } from '../clients/call.ts';
import { changeAccountAudiences } from './change-account-audiences.ts';
import { claimForAccount } from './claim-for-account.ts';
import { editAccount } from './edit-account.ts';
import { grantReward } from './grant-reward.ts';
import { grantStreakFreezes } from './grant-streak-freezes.ts';
import { openChestForAccount } from './open-chest-for-account.ts';
import type { Inbox } from '../triggers/inbox/inbox.ts';
import type { Waker } from './support-action.ts';
import { releaseReservationOfAccount } from './release-reservation-of-account.ts';
import { removeAccount } from './remove-account.ts';
import { resumeAccount } from './resume-account.ts';
import { correctStatisticOfAccount } from './correct-statistic-of-account.ts';
import { restoreStreak } from './restore-streak.ts';
import { reverseTriggersOfAccount } from './reverse-triggers-of-account.ts';
import { revokeTokensOfAccount } from './revoke-tokens-of-account.ts';
import { suspendAccount } from './suspend-account.ts';

/** The dependencies of {@link accountAdminService}. */
export type AccountSupportOptions = EraseOptions & {
  readonly catalogs: Catalogs;
  /** Functions that follow a change of the time zone. */
  readonly movers: readonly AccountMover[];
  readonly dispatcher: Waker;
  readonly inbox: Pick<Inbox, 'wake'>;
};

/** The operations of support on one account. */
export function accountAdminService(options: AccountSupportOptions) {
  const { dispatcher } = options;
  return {
    grantReward: (call, request) => grantReward(call, request, dispatcher),
    claimForAccount: (call, request) => claimForAccount(call, request, options),
    openChestForAccount: (call, request) => openChestForAccount(call, request, dispatcher),
    releaseReservation: (call, request) => releaseReservationOfAccount(call, request, dispatcher),
    editAccount: (call, request) => editAccount(call, request, options.movers),
    changeAccountAudiences,
    removeAccount: (call, request) => removeAccount(call, request, options),
    revokeTokensOfAccount,
    suspendAccount,
    resumeAccount: (call, request) => resumeAccount(call, request, options.inbox),
    correctStatistic: correctStatisticOfAccount,
    grantStreakFreezes: (call, request) => grantStreakFreezes(call, request, options.catalogs),
    restoreStreak: (call, request) => restoreStreak(call, request, options.catalogs),
    reverseTriggersOfAccount: (call, request) => reverseTriggersOfAccount(call, request, options),
  } satisfies Handlers<typeof AccountAdminService>;
}
