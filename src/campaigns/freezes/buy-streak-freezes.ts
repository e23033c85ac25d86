import {
  type BuyStreakFreezesRequest,
  type BuyStreakFreezesResponse,
  BuyStreakFreezesResponseSchema,
} from '../../../gen/laurel/v1/streak_freeze_service_pb.ts';
import { suspension } from '../../accounts/accounts-of-batch.ts';
import { requireAccount } from '../../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { namedAccount } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import { amountFromNumber } from '../../kernel/amount.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { spendPoints } from '../../loyalty/move-points.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { addFreezes } from './add-freezes.ts';
import { toFreezeEntryMessage } from './freeze-message.ts';

/** The kind of the source of the points that freezes cost. */
export const FREEZE_SOURCE = 'STREAK_FREEZE';

/** Buys freezes for points: proto StreakFreezeService.BuyStreakFreezes. */
export function buyStreakFreezes(
  call: Call,
  request: BuyStreakFreezesRequest,
  catalogs: Catalogs,
): Promise<BuyStreakFreezesResponse> {
  const { now } = call;
  const { accountId, idType, count = 1 } = request;
  const operationId = request.operationId || undefined;
  const content = ['BuyStreakFreezes', ...namedAccount(idType, accountId), `${count}`] as const;
  const key = { operationId: request.operationId, content };
  return idempotentCall(call, key, BuyStreakFreezesResponseSchema, async (uow) => {
    const catalog = await catalogs(uow);
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    const refusal = suspension(account);
    if (refusal) throw refusal;
    const { freezesMax, freezePrice } = catalog.streakSettings;
    if (freezesMax === 0 || freezePrice === undefined) throw notSold();
    const points = amountFromNumber(freezePrice * count, 'points');
    const line = { type: 'BUY', amount: count, at: now, points, operationId } as const;
    const { entry, owned } = await addFreezes(uow, catalog, account, line);
    const spending = { accountId: account.id, amount: points, at: now, operationId };
    await spendPoints(uow, [{ ...spending, sourceType: FREEZE_SOURCE, sourceId: entry.id }]);
    return { entry: toFreezeEntryMessage(catalog, entry), owned };
  });
}

function notSold(): DomainError {
  return new DomainError(
    'STREAK_FREEZES_NOT_SOLD',
    'The client sells no streak freezes. An administrator sets `streaks.freezePrice` first: PUT /admin/clients/{id}.',
  );
}
