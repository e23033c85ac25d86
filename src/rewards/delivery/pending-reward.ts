import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { EarnedRewardSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import { lockOwner } from '../../accounts/resolving/resolve-accounts.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Call } from '../../clients/call.ts';
import { isPerson } from '../../clients/principal.ts';
import { uuid } from '../../idempotency/content.ts';
import { idempotentCall } from '../../idempotency/idempotent-call.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { checkedText } from '../../kernel/text.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import type { Product } from '../products/product.ts';
import { requireProduct } from '../products/products.queries.ts';
import type { ProductStock } from '../products/stock/stock.ts';
import { lockStocks } from '../products/stock/stock.queries.ts';
import type { DeliveredReward, WaitingReward } from './earned-reward.ts';
import { toEarnedRewardMessage } from './earned-reward-message.ts';
import { findEarnedReward } from './earned-rewards.queries.ts';
import { restock } from './restock.ts';

/** A pending reward and the stock of its product, both locked. */
export type LockedPending = {
  readonly reward: WaitingReward;
  readonly stock: ProductStock;
  /** Whether its account exists; if so, it is locked. */
  readonly hasAccount: boolean;
};

/** A change of a pending reward by an operator. */
export type PendingChange = {
  readonly operation: DescMethod;
  /** Woken after the answer, because this may be the last pending reward before the webhook of a closing. */
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  /** Makes the change under the locks, and returns the changed reward; undefined if it was deleted. */
  readonly work: (uow: UnitOfWork, pending: LockedPending, now: Date) => Promise<DeliveredReward | undefined>;
};

/** The response of an operation on a pending reward. */
type PendingResponse<S extends DescMessage> = {
  readonly schema: S;
  readonly answerWith: (reward: MessageInitShape<typeof EarnedRewardSchema>) => MessageInitShape<S>;
};

/**
 * Changes a pending reward, once for an operation id, with the operator's reason in the audit log. Then it resumes an interrupted
 * restock of the product, so that free units go to the first in the queue.
 * @param answerWith makes the answer from the changed or the deleted reward
 * @throws DomainError as {@link lockPending}, {@link idempotentCall} and `work`; `BAD_REQUEST` for a reason that cannot be stored
 */
export async function changePending<S extends DescMessage>(
  call: Call,
  request: { readonly id: string; readonly reason: string; readonly operationId: string },
  { schema, answerWith }: PendingResponse<S>,
  { operation, dispatcher, work }: PendingChange,
): Promise<MessageShape<S>> {
  const { db, principal, now } = call;
  const { operationId } = request;
  const id = request.id.toLowerCase();
  const note = checkedText(request.reason, '`reason`');
  const content = [operation.name, uuid(id), note] as const;
  let product: Product | undefined;
  const answer = await idempotentCall(call, { operationId, content }, schema, async (uow) => {
    const pending = await lockPending(uow, id);
    const changed = await work(uow, pending, now);
    const messages = (codeIds: boolean) => ({
      before: toEarnedRewardMessage(pending.reward, codeIds),
      after: changed && toEarnedRewardMessage(changed, codeIds),
    });
    await recordChange(uow, principal, { operation, schema: EarnedRewardSchema, id, ...messages(true), note });
    product = pending.stock.product;
    const { before, after } = messages(isPerson(principal));
    return answerWith(after ?? before);
  });
  if (product === undefined) return answer;
  call.afterResponse(() => dispatcher.wake(principal.clientId));
  await restock(db, principal.clientId, product, undefined, now);
  return answer;
}

/**
 * Locks the account of a pending reward, and then its product: afterwards no other call can deliver the reward.
 * @throws DomainError `EARNED_REWARD_NOT_FOUND`, `EARNED_REWARD_NOT_PENDING`
 */
async function lockPending(uow: UnitOfWork, id: string): Promise<LockedPending> {
  const { row, account } = await lockOwner(uow, () => requirePending(uow, id));
  const product = await requireProduct(uow, row.productId);
  const stock = (await lockStocks(uow, [product])).get(product.id)!;
  // Read again, because a restock may have delivered it before the lock.
  return { reward: await requirePending(uow, id), stock, hasAccount: account !== undefined };
}

async function requirePending(uow: UnitOfWork, id: string): Promise<WaitingReward> {
  const reward = await findEarnedReward(uow, id);
  if (reward === undefined)
    throw new DomainError('EARNED_REWARD_NOT_FOUND', sentence`There is no earned reward ${id}.`);
  if (reward.status === 'PENDING_STOCK') return reward;
  const message = sentence`The account has the reward already: only what waits for stock can be cancelled or delivered.`;
  throw new DomainError('EARNED_REWARD_NOT_PENDING', message);
}
