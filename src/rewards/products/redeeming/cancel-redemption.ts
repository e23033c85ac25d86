import {
  type CancelRedemptionRequest,
  type CancelRedemptionResponse,
  CancelRedemptionResponseSchema,
  LoyaltyAdminService,
} from '../../../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { RedemptionSchema } from '../../../../gen/laurel/v1/redemption_pb.ts';
import { checkedText } from '../../../kernel/text.ts';
import { lockOwner } from '../../../accounts/resolving/resolve-accounts.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Call } from '../../../clients/call.ts';
import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';
import { refundPoints } from '../../../loyalty/move-points.ts';
import { partsToReturn } from '../../../loyalty/spending/parts-to-return.ts';
import { uuid } from '../../../idempotency/content.ts';
import { idempotentCall } from '../../../idempotency/idempotent-call.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { toRedemptionMessage } from '../../../redemptions/redemption-message.ts';
import type { RecordedRedemption } from '../../../redemptions/redemption.ts';
import { cancelRedemptions, redemptionsById } from '../../../redemptions/redemptions.queries.ts';

/** Cancels a purchase, and refunds its points: proto LoyaltyAdminService.CancelRedemption. */
export function cancelRedemption(call: Call, request: CancelRedemptionRequest): Promise<CancelRedemptionResponse> {
  const { now } = call;
  const { operationId, expiresInDays } = request;
  const id = request.id.toLowerCase();
  const reason = checkedText(request.reason, '`reason`');
  const content = ['CancelRedemption', uuid(id), reason, `${expiresInDays}`] as const;
  return idempotentCall(call, { operationId, content }, CancelRedemptionResponseSchema, async (uow) => {
    // It is read again under the lock, which prevents a concurrent cancellation.
    const { row, account } = await lockOwner(uow, () => requireRedemption(uow, id));
    if (account === undefined)
      throw new DomainError('ACCOUNT_NOT_FOUND', 'The account of the redemption has been deleted.');
    const redemption = requireCancellable(row);
    const { accountId } = redemption;
    await cancelRedemptions(uow, [id]);
    if (redemption.pointsSpent > 0n) {
      const parts = await partsToReturn(uow, redemption, { at: now, expiresInDays });
      const source = { sourceType: 'REDEMPTION', sourceId: id, operationId: operationId || undefined };
      await refundPoints(uow, [{ accountId, amount: redemption.pointsSpent, at: now, parts, reason, ...source }]);
    }
    const cancelled = { ...redemption, status: 'CANCELLED' } as const;
    // The log outlives the account, so it stores no e-mail.
    await recordChange(uow, call.principal, {
      operation: LoyaltyAdminService.method.cancelRedemption,
      schema: RedemptionSchema,
      id,
      note: reason,
      before: toRedemptionMessage(redemption, undefined),
      after: toRedemptionMessage(cancelled, undefined),
    });
    return { redemption: toRedemptionMessage(cancelled, account.email) };
  });
}

async function requireRedemption(uow: UnitOfWork, id: string): Promise<RecordedRedemption> {
  const redemption = (await redemptionsById(uow, [id])).get(id);
  if (redemption === undefined) throw new DomainError('REDEMPTION_NOT_FOUND', sentence`There is no redemption ${id}.`);
  return redemption;
}

function requireCancellable(redemption: RecordedRedemption): RecordedRedemption {
  if (redemption.source !== 'LOYALTY' && redemption.source !== 'MARKETPLACE') {
    const message = sentence`Only what was bought can be taken back; this one is from ${redemption.source}.`;
    throw new DomainError('REDEMPTION_NOT_CANCELLABLE', message);
  }
  if (redemption.status === 'COMPLETED') return redemption;
  throw new DomainError('REDEMPTION_ALREADY_CANCELLED', 'The redemption has been taken back already.');
}
