import { withAliasesSql } from '../../accounts/resolving/aliases.queries.ts';
import { amountFromDecimal } from '../../kernel/amount.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { LotPart } from '../ledger.ts';
import { pointEntryTable } from '../point-entry.entity.ts';

const SPENDING = columnsOf(pointEntryTable, ['drawn', 'createdAt']);

/**
 * The time of a redemption's payment, and its points if any of them expire; undefined for a free redemption. The search begins at the
 * redemption's time, so its entry is the first one or close to it. A merged account that has paid keeps the entry.
 */
export async function findSpending(
  uow: UnitOfWork,
  redemption: { readonly id: string; readonly accountId: string; readonly createdAt: Date },
): Promise<{ readonly spentAt: Date; readonly drawn: LotPart[] | undefined } | undefined> {
  const [row] = await uow.query<RowOf<typeof SPENDING>>(
    `select e.* from ${withAliasesSql('$2::uuid')} own cross join lateral (
       select ${SPENDING} from point_entry
        where client_id = $1 and account_id = own.id and created_at >= $3
          and type = 'SPEND' and source_type = 'REDEMPTION' and source_id = $4
        order by created_at limit 1) e`,
    [uow.clientId, redemption.accountId, redemption.createdAt, redemption.id],
  );
  if (row === undefined) return undefined;
  const drawn = row.drawn?.map(({ amount, expiresAt }) => ({
    amount: amountFromDecimal(amount),
    expiresAt: expiresAt === null ? undefined : new Date(expiresAt),
  }));
  return { spentAt: row.created_at, drawn };
}
