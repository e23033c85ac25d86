import fc from 'fast-check';
import type { RestAnswer, TestService } from '../../support/service.ts';
import { customer } from './shop.ts';

/** Something that happens to a shop of three publications and three customers. */
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
  | { readonly kind: 'publish'; readonly what: number }
  | { readonly kind: 'unpublish'; readonly what: number }
  | { readonly kind: 'pass'; readonly seconds: number };

const who = fc.nat(2);
const what = fc.nat(2);
const quantity = fc.integer({ min: 1, max: 3 });
/** Few, so that they are repeated, with the same content and with other content. */
const op = fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined, freq: 2 });

/** Commands as they may come, purchases and reservations more often than the rest. */
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
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20 }) }) },
);

/** Who and what the numbers of commands mean. */
export type Cast = {
  readonly accounts: readonly string[];
  readonly publications: readonly string[];
  readonly run: string;
};

/** Sends a command over REST. Time passes elsewhere. */
export function send(
  service: TestService,
  cast: Cast,
  command: Exclude<Command, { kind: 'pass' }>,
): Promise<RestAnswer> {
  const id = cast.publications[command.what]!;
  if (command.kind === 'publish' || command.kind === 'unpublish') {
    return service.rest('POST', `/marketplace/publications/${id}/${command.kind}`);
  }
  const buyer = customer(service, cast.accounts[command.who]!);
  if (command.kind === 'unfreeze') return buyer.unfreeze(id);
  const operationId = command.op === undefined ? '' : `${cast.run} ${command.op}`;
  if (command.kind === 'redeem') return buyer.redeem(id, { quantity: command.quantity, operationId });
  return buyer.freeze(id, { quantity: command.quantity, ttlSeconds: command.ttl, operationId });
}
