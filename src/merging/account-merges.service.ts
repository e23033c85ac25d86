import type { AccountMergeService } from '../../gen/laurel/v1/account_merge_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { listAccountMerges } from './list-account-merges.ts';
import { mergeAccounts, type MergingOptions } from './merge-accounts.ts';
import { undoAccountMerge } from './undo-account-merge.ts';

/** Merges of accounts that are one person. */
export function accountMergesService(options: MergingOptions) {
  return {
    mergeAccounts: (call, request) => mergeAccounts(call, request, options),
    listAccountMerges,
    undoAccountMerge: (call, request) => undoAccountMerge(call, request, options),
  } satisfies Handlers<typeof AccountMergeService>;
}
