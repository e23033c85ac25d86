import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type WithdrawProductCodesRequest,
  type WithdrawProductCodesResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductSchema } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Call } from '../../../clients/call.ts';
import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../../persistence/key-lookup.ts';
import { readProduct } from '../get-product.ts';
import { productInMode } from '../products.queries.ts';
import { freeUnits, type ProductStock, unitsNotFree } from '../stock/stock.ts';
import { lockStocks, saveStocks } from '../stock/stock.queries.ts';

/**
 * Withdraws unused codes, all or none, and at most the free ones: proto ProductAdminService.WithdrawProductCodes. They count as never
 * added, so that the stock can still be recomputed.
 */
export function withdrawProductCodes(
  { db, principal, now }: Call,
  { id, codeIds }: WithdrawProductCodesRequest,
): Promise<MessageInitShape<typeof WithdrawProductCodesResponseSchema>> {
  const ids = codeIds.map((codeId) => codeId.toLowerCase());
  return db.unitOfWork(principal.clientId, async (uow) => {
    const product = await productInMode(uow, id, 'CODES');
    const stocks = await lockStocks(uow, [product]);
    const before = await readProduct(uow, product.id);
    await requireUnused(uow, product.id, ids);
    const stock = stocks.get(product.id)!;
    requireFree(stock, ids.length);
    await uow.query(
      `delete from product_code c using ${lockedRows({
        source: 'unnest($2::uuid[]) as w(id)',
        alias: 'w',
        table: 'product_code',
        key: { id: 'w.id' },
      })} where c.client_id = $1 and c.ctid = w.row_ctid`,
      [uow.clientId, ids],
    );
    stock.units -= ids.length;
    stock.added = -ids.length;
    await saveStocks(uow, [stock], now);
    const after = await readProduct(uow, product.id);
    const operation = ProductAdminService.method.withdrawProductCodes;
    const note = String(sentence`${ids.length} unused codes withdrawn.`);
    await recordChange(uow, principal, { operation, schema: ProductSchema, id: product.id, before, after, note });
    return { product: after };
  });
}

/** The maximum of ids in a message; a second try shows the others. */
const NAMED_MAX = 10;

/** Checks that the remaining codes suffice for all publications; a code does not belong to a single publication. */
function requireFree(stock: ProductStock, codes: number): void {
  const free = freeUnits(stock);
  if (codes <= free) return;
  throw unitsNotFree(
    stock,
    sentence`No code was withdrawn. Send ${free} at most, or withdraw units from publications first.`,
  );
}

async function requireUnused(uow: UnitOfWork, productId: string, ids: readonly string[]): Promise<void> {
  const rows = await uow.query<{ id: string; free: boolean }>(
    `select c.* from unnest($3::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'id, redemption_id is null as free',
      from: 'product_code',
      key: { id: 'wanted.id' },
      and: 'product_id = $2',
    })} c`,
    [uow.clientId, productId, ids],
  );
  const known = new Map(rows.map((row) => [row.id, row.free]));
  const named = (refused: readonly string[]) => refused.slice(0, NAMED_MAX);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new DomainError(
      'PRODUCT_CODE_NOT_FOUND',
      sentence`No code was withdrawn, because the product does not have these: ${named(unknown)}.`,
    );
  const taken = ids.filter((id) => known.get(id) === false);
  if (taken.length === 0) return;
  const message = sentence`No code was withdrawn, because accounts have these: ${named(taken)}. Leave them out.`;
  throw new DomainError('PRODUCT_CODE_REDEEMED', message);
}
