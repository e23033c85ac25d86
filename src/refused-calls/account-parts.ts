import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { refusedCallTable } from './refused-call.entity.ts';
import { deleteCallsOf } from './refused-calls.queries.ts';

/** Rows that one step of an erasure deletes. */
const ERASED_AT_ONCE = 1_000;

/** This module's data about an account: the refused calls that named it. */
export const refusedCallParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'refusedCalls',
    table: refusedCallTable,
    order: ['id'],
    // Swept, because calls are written seconds after their answers, without a lock of the account.
    erasure: {
      kind: 'swept',
      sweep: async (uow, accountId) =>
        (await deleteCallsOf(uow, accountId, ERASED_AT_ONCE)) === ERASED_AT_ONCE ? 'more' : undefined,
    },
    merging: { kind: 'stays', why: 'Refused calls are found by the ids of both.' },
  }),
];
