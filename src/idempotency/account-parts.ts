import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { amongScannedSql, LAST_POSITION, scannedRowsSql, rowsAbout } from '../persistence/subjects/rows-of-account.ts';
import { operationTable } from './operation.entity.ts';

/** SQL for answers about the account: stored with its id, or with its id in the answer. */
const IS_ABOUT = `(t.account_id = $3::uuid
  or t.account_id is null and position(convert_to($3::text, 'UTF8') in t.response) > 0)`;

/** This module's data about an account: the stored answers to its operations. */
export const operationParts: readonly AccountPart[] = [
  rowsAbout({
    name: 'operations',
    table: operationTable,
    isAbout: IS_ABOUT,
    without: ['fingerprint', 'response', 'accountId'],
    erasure: {
      kind: 'swept',
      async sweep(uow, accountId, after) {
        const [row] = await uow.query<{ last: string | null }>(
          `with looked as materialized (${scannedRowsSql('operation', after)}), emptied as (
             update operation set response = null, erased = true
              where client_id = $1 and ${amongScannedSql(`t.erased is null and ${IS_ABOUT}`)}
           ) ${LAST_POSITION}`,
          [uow.clientId, after ?? null, accountId],
        );
        return row?.last ?? undefined;
      },
    },
    merging: { kind: 'stays', why: 'Answers are repeated as they were given.' },
  }),
];
