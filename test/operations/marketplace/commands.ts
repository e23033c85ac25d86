import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { RestAnswer, TestService } from '../../support/service.ts';
import { customer } from './shop.ts';

/** A command for a shop of three publications and three customers. */
export type Command =
  | {
      readonly kind: 'freeze';
      readonly who: number;
      readonly what: number;
      readonly quantity: number;
      readonly ttl: number;
      readonly op?: string;
    }
  | { readonly kind: 'unfreeze'; readonly who: number; readonly what: number }
  | {
      readonly kind: 'redeem';
      readonly who: number;
      readonly what: number;
      readonly quantity?: number;
      readonly op?: string;
    }
  /** Cancels a purchase: `back` counts from the latest one. */
  | { readonly kind: 'cancel'; readonly ago: number }
  /** Without points, the publication becomes free. */
  | { readonly kind: 'price'; readonly what: number; readonly points?: number }
  | { readonly kind: 'publish'; readonly what: number }
  | { readonly kind: 'unpublish'; readonly what: number }
  /** Moves units from the product to a publication, and back; `remove` ignores the quantity. */
  | { readonly kind: 'add'; readonly what: number; readonly quantity: number }
  | { readonly kind: 'withdraw'; readonly what: number; readonly quantity: number }
  | { readonly kind: 'remove'; readonly what: number; readonly quantity: number }
  /** A purchase of the product for points, without a publication. */
  | { readonly kind: 'buy'; readonly who: number; readonly quantity: number }
  | { readonly kind: 'restock'; readonly quantity: number }
  | { readonly kind: 'pass'; readonly seconds: number };

const who = fc.nat(2);
const what = fc.nat(2);
const quantity = fc.integer({ min: 1, max: 3 });
/** Few ids, so that they are repeated, with the same content and with other content. */
const op = fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined, freq: 2 });

/** Random commands, in which purchases and reservations are most frequent. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      who,
      what,
      quantity,
      ttl: fc.integer({ min: 1, max: 30 }),
      op,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unfreeze' as const), who, what }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), ago: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      what,
      points: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      who,
      what,
      quantity: fc.option(quantity, { nil: undefined }),
      op,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('publish' as const, 'unpublish' as const), what }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'add' as const,
        'add' as const,
        'withdraw' as const,
        'withdraw' as const,
        'remove' as const,
      ),
      what,
      quantity,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('buy' as const), who, quantity }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restock' as const), quantity }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20 }) }) },
);

/** A reservation, a new price, and a purchase by the same customer: this sequence is too rare by chance alone. */
const repriced: fc.Arbitrary<Command[]> = fc
  .record({ who, what, quantity, points: fc.integer({ min: 1, max: 9 }), bought: quantity })
  .map(({ who, what, quantity, points, bought }) => [
    { kind: 'freeze', who, what, quantity, ttl: 30 },
    { kind: 'price', what, points },
    { kind: 'redeem', who, what, quantity: bought },
  ]);

/** A sequence of commands. */
export const sequence: fc.Arbitrary<Command[]> = fc
  .array(fc.oneof({ weight: 8, arbitrary: command.map((one) => [one]) }, { weight: 1, arbitrary: repriced }), {
    minLength: 5,
    maxLength: 20,
  })
  .map((parts) => parts.flat());

/** The meaning of the numbers in commands. */
export type Cast = {
  readonly accounts: readonly string[];
  readonly publications: readonly string[];
  readonly productId: string;
  readonly run: string;
  /** Ids of the purchases so far. */
  readonly purchases: string[];
};

/** Sends a command over REST. The passage of time is handled elsewhere. */
export function send(
  service: TestService,
  cast: Cast,
  command: Exclude<Command, { kind: 'pass' }>,
): Promise<RestAnswer> {
  if (command.kind === 'cancel') {
    const redemption = cast.purchases.at(-1 - command.ago) ?? randomUUID();
    return service.rest('POST', `/admin/redemptions/${redemption}/cancel`, { reason: 'wrong size' });
  }
  const { productId } = cast;
  if (command.kind === 'buy') {
    const body = { accountId: cast.accounts[command.who]!, idType: 'EXTERNAL', quantity: command.quantity };
    return service.rest('POST', `/loyalty/products/${productId}/redeem`, body);
  }
  if (command.kind === 'restock') {
    return service.rest('POST', `/admin/products/${productId}/stock`, { quantity: command.quantity });
  }
  const id = cast.publications[command.what]!;
  if (command.kind === 'price') {
    return service.rest('PATCH', `/admin/publications/${id}`, { pointsCost: command.points ?? null });
  }
  if (command.kind === 'add' || command.kind === 'withdraw' || command.kind === 'remove') {
    const path = `/admin/publications/${id}`;
    if (command.kind === 'remove') return service.rest('DELETE', path);
    const end = command.kind === 'add' ? '' : '/withdraw';
    return service.rest('POST', `${path}/stock${end}`, { quantity: command.quantity });
  }
  if (command.kind === 'publish' || command.kind === 'unpublish') {
    return service.rest('POST', `/marketplace/publications/${id}/${command.kind}`);
  }
  const buyer = customer(service, cast.accounts[command.who]!);
  if (command.kind === 'unfreeze') return buyer.unfreeze(id);
  const operationId = command.op === undefined ? undefined : `${cast.run} ${command.op}`;
  if (command.kind === 'redeem') return buyer.redeem(id, { quantity: command.quantity, operationId });
  return buyer.freeze(id, { quantity: command.quantity, ttlSeconds: command.ttl, operationId });
}
