import { create, type Message } from '@bufbuild/protobuf';
import {
  FreezePublicationResponseSchema,
  RedeemPublicationResponseSchema,
  UnfreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { removeCreatedAccounts } from '../../accounts/accounts-of-batch.ts';
import { type BatchTimes, type CallBatcher, createCallBatcher } from '../../idempotency/call-batcher.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { writeMovements } from '../../loyalty/move-points.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { toRedemptionMessage } from '../../redemptions/redemption-message.ts';
import type { RecordedRedemption } from '../../redemptions/redemption.ts';
import { fulfilUnits } from '../../rewards/products/stock/fulfilment.ts';
import { saveStocks } from '../../rewards/products/stock/stock.queries.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { wakeAfter } from '../../webhooks/delivery/wake-after.ts';
import { pauseSoldOut } from '../publications/change-status.ts';
import { toHeldReservationMessage } from '../reservations/reservation.ts';
import { insertReservations, saveReservations } from '../reservations/reservations.queries.ts';
import { saveSellableStocks } from '../sellable-stock.queries.ts';
import { type Decided, decideOrders } from './decide-orders.ts';
import { type Loaded, loadOrders } from './load-orders.ts';
import type { OrderResult, Order } from './order.ts';

/** Runs orders by group commit. */
export type OrderBatcher = CallBatcher<Order>;

export type OrderBatcherOptions = {
  readonly db: Database;
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  /** Concurrent batches. */
  readonly concurrency: number;
};

/** Runs the orders of this process. */
export function createOrderBatcher({ db, clock, dispatcher, concurrency }: OrderBatcherOptions): OrderBatcher {
  return createCallBatcher<Order>({
    db,
    clock,
    concurrency,
    async run(uow, orders, times) {
      const answers = await runOrders(uow, orders, times);
      return { answers, afterAnswers: wakeAfter(uow, dispatcher) };
    },
  });
}

/**
 * Runs one client's orders in one transaction, in order: takes the locks, decides in memory, writes. A row that several orders need is read
 * and written once. The number of statements does not grow with the orders.
 * @returns one answer or refusal for each order
 */
export async function runOrders(
  uow: UnitOfWork,
  orders: readonly Order[],
  times: BatchTimes,
): Promise<Array<Message | DomainError>> {
  const { now } = times;
  const loaded = await loadOrders(uow, orders, times);
  const decided = decideOrders(orders, loaded, now);
  const redemptions = await write(uow, loaded, decided, now);
  return decided.decisions.map((decision) => answerTo(decision, redemptions));
}

async function write(
  uow: UnitOfWork,
  loaded: Loaded,
  decided: Decided,
  now: Date,
): Promise<Map<string, RecordedRedemption>> {
  const { decisions, entries, soldOut, moved, made, changed } = decided;
  const bought = decisions.filter((decision) => 'kind' in decision && decision.kind === 'bought');
  const sold = new Set(bought.map(({ fulfilment }) => loaded.stocks.get(fulfilment.product.id)!));
  const [redemptions] = await Promise.all([
    fulfilUnits(
      uow,
      bought.map(({ fulfilment }) => fulfilment),
      now,
    ),
    // Also without a purchase: the entries may contain expiries.
    writeMovements(uow, loaded.ledger, entries),
    saveStocks(uow, sold, now),
    insertReservations(uow, [...made], loaded.publications),
    saveReservations(uow, [...changed], now),
    saveSellableStocks(uow, [...moved], now),
    removeCreatedAccounts(uow, unusedOf(loaded, decisions)),
  ]);
  await pauseSoldOut(uow, soldOut, now);
  return new Map(redemptions.map((redemption) => [redemption.id, redemption]));
}

/** New accounts whose orders were all refused. */
function unusedOf({ accounts, created }: Loaded, decisions: readonly OrderResult[]): string[] {
  if (created.size === 0) return [];
  const unused = new Set(created);
  for (const [index, account] of accounts.entries()) {
    if (!(account instanceof DomainError) && !(decisions[index] instanceof DomainError)) unused.delete(account.id);
  }
  return [...unused];
}

function answerTo(decision: OrderResult, redemptions: ReadonlyMap<string, RecordedRedemption>): Message | DomainError {
  if (decision instanceof DomainError) return decision;
  switch (decision.kind) {
    case 'bought': {
      const { fulfilment, account } = decision;
      const redemption = toRedemptionMessage(redemptions.get(fulfilment.redemptionId)!, account.email);
      return create(RedeemPublicationResponseSchema, { redemption });
    }
    case 'reserved':
      return create(FreezePublicationResponseSchema, { reservation: toHeldReservationMessage(decision.reservation) });
    case 'released':
      return create(UnfreezePublicationResponseSchema, { releasedQuantity: decision.quantity });
  }
}
