import { isMessage, type Message } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import {
  FreezePublicationResponseSchema,
  type RedeemPublicationResponse,
  UnfreezePublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import type { Order } from '../../../src/marketplace/orders/order.ts';
import { type Cast, command, type Command } from './commands.ts';

/** The commands that orders can contain. */
export type Ordered = Extract<Command, { kind: 'freeze' | 'unfreeze' | 'redeem' }>;

/** Concurrent orders, and the commands between them. */
export const groups = fc
  .array(
    fc.oneof(
      {
        weight: 2,
        arbitrary: fc.array(
          command.filter((one): one is Ordered => ['freeze', 'unfreeze', 'redeem'].includes(one.kind)),
          { minLength: 2, maxLength: 12 },
        ),
      },
      { weight: 1, arbitrary: command.filter((one) => !['remove', 'cancel'].includes(one.kind)) },
    ),
    { minLength: 2, maxLength: 8 },
  )
  .map((rounds) =>
    rounds.map((round) => (Array.isArray(round) ? round.map(withoutOperation) : withoutOperation(round))),
  );

/** Operation ids belong to the call, not to the order. */
function withoutOperation<C extends Command>(one: C): C {
  return 'op' in one ? { ...one, op: undefined } : one;
}

/** A command as an order. */
export function orderOf({ accounts, publications }: Cast, one: Ordered): Order {
  const named = {
    publicationId: publications[one.what]!,
    account: { accountId: accounts[one.who]!, idType: Account_IdType.EXTERNAL },
  };
  switch (one.kind) {
    case 'freeze':
      return { kind: 'freeze', ...named, quantity: one.quantity, ttlSeconds: one.ttl };
    case 'unfreeze':
      return { kind: 'unfreeze', ...named, reservationId: undefined };
    case 'redeem':
      return { kind: 'purchase', ...named, quantity: one.quantity, operationId: '' };
  }
}

/** The parts of an order's answer that a naive shop can predict. */
export function outcomeOf(answer: Message | DomainError): object {
  if (answer instanceof DomainError) return { code: answer.code };
  if (isMessage(answer, FreezePublicationResponseSchema)) return { units: answer.reservation!.quantity };
  if (isMessage(answer, UnfreezePublicationResponseSchema)) return { units: answer.releasedQuantity };
  const { redemption } = answer as RedeemPublicationResponse;
  return { units: redemption!.quantity, points: redemption!.pointsSpent };
}
