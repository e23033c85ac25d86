import type { UnitOfWork } from '../persistence/database.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { amongScannedSql, LAST_POSITION, rowsAbout, scannedRowsSql } from '../persistence/subjects/rows-of-account.ts';
import { changeBatchTable } from './change-batch.entity.ts';
import { lockFeed } from './change-feed.queries.ts';

/** A line about an account contains its internal id. */
const IS_ABOUT = 'position($3::text in t.body) > 0';

const batches = rowsAbout({
  name: 'changes',
  table: changeBatchTable,
  isAbout: IS_ABOUT,
  without: ['position', 'number', 'changes'],
  erasure: { kind: 'swept', sweep: forget },
  merging: { kind: 'stays', why: 'Changes tell what was true when they were made.' },
});

/** This module's data about an account: the lines of the feed that name it. */
export const changeParts: readonly AccountPart[] = [
  {
    ...batches,
    async page(uow, account, after) {
      const { rows, next } = await batches.page(uow, account, after);
      const lines = rows.flatMap(({ body, createdAt = null }) =>
        (body as string)
          .split('\n')
          .filter((line) => line.includes(account.accountId))
          .map((change) => ({ createdAt, change })),
      );
      return { rows: lines, next };
    },
  },
];

/** Empties the lines of the account: the numbers of the others stay. The lock keeps the worker from moving the rows meanwhile. */
async function forget(uow: UnitOfWork, accountId: string, after?: string): Promise<string | undefined> {
  await lockFeed(uow);
  const [row] = await uow.query<{ last: string | null }>(
    `with looked as materialized (${scannedRowsSql('change_batch', after)}), changed as (
       update change_batch
          set body = (select string_agg(case when position($3::text in l.line) > 0 then '' else l.line end, E'\\n' order by l.place)
                        from unnest(string_to_array(body, E'\\n')) with ordinality as l(line, place))
        where client_id = $1 and ${amongScannedSql(IS_ABOUT)}
     ) ${LAST_POSITION}`,
    [uow.clientId, after ?? null, accountId],
  );
  return row?.last ?? undefined;
}
