import {
  type AdjustPointsRequest,
  type AdjustPointsResponse,
  AdjustPointsResponseSchema,
  LoyaltyAdminService,
} from '../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { PointEntrySchema } from '../../gen/laurel/v1/loyalty_pb.ts';
import { checkedText } from '../kernel/text.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { type Amount, amountFromNumber } from '../kernel/amount.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { namedAccount } from '../idempotency/content.ts';
import { idempotentCall } from '../idempotency/idempotent-call.ts';
import { expiryOf } from './ledger.ts';
import { adjustPoints as enterAdjustments } from './move-points.ts';
import { toPointEntryMessage } from './point-entry-message.ts';

/** Counts earned points for statistics and leaderboards; the modules above know them. `earnedId` is the id of the entry. */
export type CountEarned = (
  uow: UnitOfWork,
  earned: ReadonlyArray<{ readonly accountId: string; readonly earnedId: string; readonly amount: Amount }>,
  now: Date,
) => Promise<void>;

/** Adds or removes points, with a reason: proto LoyaltyAdminService.AdjustPoints. */
export function adjustPoints(
  call: Call,
  request: AdjustPointsRequest,
  countEarned: CountEarned,
): Promise<AdjustPointsResponse> {
  const { now } = call;
  const { operationId, accountId, idType, expiresInDays, earned = false } = request;
  const amount = amountFromNumber(request.amount, '`amount`');
  const reason = checkedText(request.reason, '`reason`');
  if (amount < 0n && expiresInDays !== undefined) {
    throw badRequest('Points that are taken do not expire. Leave `expiresInDays` out, or send a positive `amount`.');
  }
  if (amount < 0n && earned)
    throw badRequest('Points that are taken are not earned. Leave `earned` out, or send a positive `amount`.');
  const content = [
    'AdjustPoints',
    ...namedAccount(idType, accountId),
    `${amount}`,
    reason,
    `${expiresInDays}`,
    ...(earned ? ['earned'] : []),
  ] as const;
  return idempotentCall(call, { operationId, content }, AdjustPointsResponseSchema, async (uow) => {
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    // The ledger records the responsible credential, because it is kept longer than the access log.
    const source = { sourceType: 'CREDENTIAL', sourceId: call.principal.credentialId };
    const change = { accountId: account.id, amount, reason, at: now, expiresAt: expiryOf(now, expiresInDays) };
    const marked = { earned: earned ? (true as const) : undefined, operationId: operationId || undefined };
    const [entry] = await enterAdjustments(uow, [{ ...change, ...source, ...marked }]);
    if (earned) await countEarned(uow, [{ accountId: account.id, earnedId: entry!.id, amount }], now);
    const after = toPointEntryMessage(entry!);
    const note = `Account ${account.id}: ${reason}`;
    const operation = LoyaltyAdminService.method.adjustPoints;
    await recordChange(uow, call.principal, { operation, schema: PointEntrySchema, id: after.id, after, note });
    return { entry: after };
  });
}
