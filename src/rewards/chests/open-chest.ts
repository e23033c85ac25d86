import { randomBytes } from 'node:crypto';
import {
  type OpenChestRequest,
  type OpenChestResponse,
  OpenChestResponseSchema,
} from '../../../gen/laurel/v1/chest_service_pb.ts';
import { requireAccount } from '../../accounts/resolve-accounts.ts';
import { type ChestRoll, rollChest } from '../../engine/chest-roll.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { namedAccount, uuid } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { answeredRewards } from '../delivery/answered-rewards.ts';
import { requireChestDefinition } from './chest-definitions.queries.ts';
import { type Chest, toChestMessage } from './chest-message.ts';
import { findChest, markOpened } from './chests.queries.ts';
import { deliverRewards } from '../delivery/deliver-rewards.ts';
import type { RewardOrder } from '../delivery/delivery.ts';
import { loadRewards } from '../definitions/rewards.queries.ts';
import type { Call } from '../../clients/call.ts';

/** Draws a chest's content, stores the draw and delivers: proto ChestService.OpenChest. */
export function openChest(call: Call, request: OpenChestRequest): Promise<OpenChestResponse> {
  const { now } = call;
  const { operationId } = request;
  const content = ['OpenChest', uuid(request.id), ...namedAccount(request.idType, request.accountId)] as const;
  return idempotentCall(call, { operationId, content }, OpenChestResponseSchema, async (uow) => {
    const account = await requireAccount(uow, { accountId: request.accountId, idType: request.idType }, 'change');
    const chest = await closedChest(uow, account.id, request.id);
    const roll = rollChest(await requireChestDefinition(uow, chest.chestId), newSeed());
    await markOpened(uow, chest.id, roll, now);
    const orders = await ordersOf(uow, account.id, roll);
    const deliveries = await deliverRewards(
      uow,
      orders.map((order) => ({ ...order, operationId: operationId || undefined, now })),
    );
    const opened = { ...chest, opened: { at: now, roll } };
    return { opened: { chest: toChestMessage(opened), ...answeredRewards(deliveries) } };
  });
}

async function closedChest(uow: UnitOfWork, accountId: string, id: string): Promise<Chest> {
  const chest = await findChest(uow, accountId, id);
  if (chest === undefined) throw new DomainError('CHEST_NOT_FOUND', `The account has no chest ${id}.`);
  if (chest.opened === undefined) return chest;
  const when = chest.opened.at.toISOString();
  const message = `The chest was opened at ${when}. What it held is among the account's earned rewards.`;
  throw new DomainError('CHEST_ALREADY_OPENED', message);
}

/** 128 bits from the system's secure source: nobody can guess a draw, not even from all draws before it. */
function newSeed(): string {
  return randomBytes(16).toString('hex');
}

async function ordersOf(uow: UnitOfWork, accountId: string, roll: ChestRoll): Promise<Omit<RewardOrder, 'now'>[]> {
  const drawn = roll.entries.filter((entry) => entry.drawn).map((entry) => entry.rewardId);
  const rewards = await loadRewards(uow, drawn);
  return drawn.flatMap((id) => {
    const reward = rewards.get(id);
    return reward ? [{ accountId, reward }] : [];
  });
}
