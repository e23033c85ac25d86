import { amountFromDecimal } from '../kernel/amount.ts';
import { lockedRows, lookUpByKey } from '../persistence/key-lookup.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import { columnsOf, type RowOf } from '../persistence/columns-of.ts';
import { type PagedList, pagedList, wholeList, type WholeListPosition } from '../persistence/lists/list-page.ts';
import { addToFeed } from '../changes/collect-changes.ts';
import { redemptionTable } from './redemption.entity.ts';
import { redemptionChanged } from './redemption-changed.ts';
import type { RecordedRedemption } from './redemption.ts';

const READ = [
  'id',
  'accountId',
  'productId',
  'productName',
  'source',
  'sourceId',
  'quantity',
  'pointsSpent',
  'status',
  'redeemables',
  'createdAt',
] as const;

const COLUMNS = columnsOf(redemptionTable, READ);
const CANCELLED = columnsOf(redemptionTable, READ, 'r');

type RedemptionRow = RowOf<typeof COLUMNS>;

/** SQL for joins of other modules: the redemptions of client `$1`, including cancelled ones. */
export const REDEEMED_UNITS = `(select id, account_id, product_id, source, source_id, quantity from redemption where client_id = $1)`;

/** Writes new redemptions in one statement. */
export async function insertRedemptions(uow: UnitOfWork, redemptions: readonly RecordedRedemption[]): Promise<void> {
  await insertRows(
    uow,
    redemptions.map((redemption) => ({
      ...redemption,
      productId: redemption.product.id,
      productName: redemption.product.name,
      sourceId: redemption.sourceId,
    })),
  );
}

const insertRows = insertInto(redemptionTable);

/** An account's redemptions, latest first. */
export async function redemptionsOfAccount(uow: UnitOfWork, accountId: string): Promise<RecordedRedemption[]> {
  const rows = await uow.query<RedemptionRow>(
    `select r.* from ${ofAccount(COLUMNS)} r order by r.created_at desc, r.id desc`,
    [uow.clientId, accountId],
  );
  return rows.map(fromRow);
}

/** The redemptions with these ids, by id. */
export async function redemptionsById(
  uow: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, RecordedRedemption>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<RedemptionRow>(
    `select r.* from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: COLUMNS, from: 'redemption', key: { id: 'wanted.id' } })} r`,
    [uow.clientId, ids],
  );
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

/** Removes the codes from an account's redemptions for good; quantity, product and points stay. */
export async function eraseRedeemables(uow: UnitOfWork, accountId: string): Promise<void> {
  const held = uow.query(`select from ${ofAccount('1', 'for update')} r`, [uow.clientId, accountId]);
  const erased = uow.query(
    `update redemption r set redeemables = '[]' from ${ofAccount('ctid as row_ctid')} held
      where r.client_id = $1 and r.ctid = held.row_ctid`,
    [uow.clientId, accountId],
  );
  await Promise.all([held, erased]);
}

/** SQL for the rows of account `$2`, in a form that always uses the index of the account: docs/decisions/0046. */
function ofAccount(select: string, lock?: string): string {
  return lookUpByKey({
    select,
    from: 'redemption',
    key: { account_id: '$2::uuid' },
    many: true,
    ...(lock && { lock }),
  });
}

function fromRow(row: RedemptionRow): RecordedRedemption {
  return {
    id: row.id,
    accountId: row.account_id,
    product: { id: row.product_id, name: row.product_name },
    source: row.source,
    sourceId: row.source_id ?? undefined,
    quantity: row.quantity,
    pointsSpent: amountFromDecimal(row.points_spent),
    status: row.status,
    redeemables: row.redeemables,
    createdAt: row.created_at,
  };
}

/** Marks redemptions of locked accounts as cancelled. */
export async function cancelRedemptions(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await uow.query<RedemptionRow>(
    `update redemption r set status = 'CANCELLED'
       from ${lockedRows({
         source: 'unnest($2::uuid[]) as d(id)',
         alias: 'd',
         table: 'redemption',
         key: { id: 'd.id' },
       })} where r.client_id = $1 and r.ctid = d.row_ctid
      returning ${CANCELLED}`,
    [uow.clientId, ids],
  );
  addToFeed(uow, () => rows.map((row) => redemptionChanged(fromRow(row))));
}

const REDEMPTIONS: PagedList = {
  from: 'redemption',
  columns: 'id',
  // A UUIDv7 sorts by the time of its creation.
  orderBy: ['id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    accountId: { kind: 'uuid', column: 'account_id' },
    source: { kind: 'enum', column: 'source', values: ['REWARD', 'FRAGMENTS', 'LOYALTY', 'MARKETPLACE'] },
    sourceId: { kind: 'uuid', column: 'source_id' },
    status: { kind: 'enum', column: 'status', values: ['COMPLETED', 'CANCELLED'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id', 'account_id'] },
};

/** Ids of the redemptions of products by page, latest first; the caller narrows it to one `product_id`. */
export const productRedemptionPage = pagedList<{ id: string }>(REDEMPTIONS);

const allRedemptions = wholeList<RedemptionRow>({ ...REDEMPTIONS, columns: COLUMNS, descending: false });

/**
 * Redemptions with the filters and orders of {@link productRedemptionPage}, oldest first by default: a bounded number for each call,
 * continuing after the last one.
 * @throws DomainError `BAD_REQUEST`, `InvalidFilter`, like that page
 */
export async function redemptionsOfList(
  uow: UnitOfWork,
  asked: Parameters<typeof allRedemptions>[1],
): Promise<{ readonly redemptions: RecordedRedemption[]; readonly next: WholeListPosition | undefined }> {
  const { rows, next } = await allRedemptions(uow, asked);
  return { redemptions: rows.map(fromRow), next };
}

/** Ids of marketplace purchases by page, latest first. */
export const purchasePage = pagedList<{ id: string }>({
  from: `(select * from redemption where source = 'MARKETPLACE') as purchase`,
  columns: 'id',
  // A UUIDv7 sorts by the time of its creation.
  orderBy: ['id'],
  descending: true,
  fields: {
    id: { kind: 'uuid', column: 'id' },
    publicationId: { kind: 'uuid', column: 'source_id' },
    accountId: { kind: 'uuid', column: 'account_id' },
    productId: { kind: 'uuid', column: 'product_id' },
    status: { kind: 'enum', column: 'status', values: ['COMPLETED', 'CANCELLED'] },
    createdAt: { kind: 'timestamp', column: 'created_at' },
  },
  orderable: { createdAt: { column: 'id' } },
  searched: { ids: ['id', 'account_id'] },
});
