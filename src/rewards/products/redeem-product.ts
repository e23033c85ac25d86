import {
  type RedeemProductRequest,
  type RedeemProductResponse,
  RedeemProductResponseSchema,
} from '../../../gen/laurel/v1/loyalty_service_pb.ts';
import { requireAccount } from '../../accounts/resolve-accounts.ts';
import type { Amount } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { spendPoints } from '../../loyalty/move-points.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import { toRedemptionMessage } from '../../redemptions/redemption-message.ts';
import type { Product } from './product.ts';
import { requireProduct } from './products.queries.ts';
import { takeUnits } from './take-units.ts';
import type { Call } from '../../clients/call.ts';

/** Buys units of a product for points: proto LoyaltyService.RedeemProduct. */
export function redeemProduct(call: Call, request: RedeemProductRequest): Promise<RedeemProductResponse> {
  const { now } = call;
  const { operationId, quantity = 1 } = request;
  const what = [uuid(request.id), ...namedAccount(request.idType, request.accountId), `${quantity}`] as const;
  const content = ['RedeemProduct', ...what] as const;
  return idempotentCall(call, { operationId, content }, RedeemProductResponseSchema, async (uow) => {
    const account = await requireAccount(uow, { accountId: request.accountId, idType: request.idType }, 'change');
    const product = await requireProduct(uow, request.id);
    const pointsSpent = priceOf(product) * BigInt(quantity);
    const fulfilment = { accountId: account.id, product, units: quantity, source: 'LOYALTY', pointsSpent } as const;
    const redemption = await takeUnits(uow, fulfilment, now);
    const source = { sourceType: 'REDEMPTION', sourceId: redemption.id, operationId: operationId || undefined };
    await spendPoints(uow, [{ accountId: account.id, amount: pointsSpent, at: now, ...source }]);
    return { redemption: toRedemptionMessage(redemption, account.email) };
  });
}

function priceOf(product: Product): Amount {
  if (product.pointsCost !== undefined && !product.archived) return product.pointsCost;
  const why = product.archived ? 'is archived' : 'has no price in points';
  const message = `The product '${product.name}' ${why}. Choose one that is sold for points.`;
  throw new DomainError('PRODUCT_NOT_REDEEMABLE', message);
}
