import fc from 'fast-check';
import { jump, type Jump } from './clock-jumps.ts';
import { gifts } from './prizes.ts';

/** The accounts that play: only two, so that their calls often conflict. */
export const players = ['ada', 'bob'] as const;
export type Player = (typeof players)[number];

/** The two publications. */
export type Offer = 0 | 1;

/** An action that a call requests. */
export type Action =
  | { readonly do: 'emit' | 'emitLater' | 'claim' | 'openChest'; readonly who: Player }
  /** An action of the support team for the player. */
  | { readonly do: 'claimFor' | 'openChestFor'; readonly who: Player }
  /** A grant of one of the {@link gifts}; `gift` is its index. */
  | { readonly do: 'grant'; readonly who: Player; readonly gift: number }
  /** An action on one of the player's rewards that wait for stock. */
  | { readonly do: 'cancelWaiting' | 'deliverWaiting'; readonly who: Player }
  | { readonly do: 'buy'; readonly who: Player; readonly what: 'coupon' | 'mug'; readonly units: number }
  | {
      readonly do: 'freeze';
      readonly who: Player;
      readonly offer: Offer;
      readonly units: number;
      readonly hours: number;
    }
  | { readonly do: 'unfreeze'; readonly who: Player; readonly offer: Offer }
  | { readonly do: 'redeem'; readonly who: Player; readonly offer: Offer; readonly units: number | undefined }
  | { readonly do: 'publish' | 'unpublish'; readonly offer: Offer }
  /** A new price; without one, the publication becomes free. */
  | { readonly do: 'reprice'; readonly offer: Offer; readonly price: number | undefined }
  /**
   * A cancellation of one of the player's purchases. The returned points expire after `days`, or at their original time if it is left out.
   */
  | { readonly do: 'cancel'; readonly who: Player; readonly days: number | undefined }
  | {
      readonly do: 'adjust';
      readonly who: Player;
      readonly amount: number;
      readonly earned: boolean;
      readonly days: number | undefined;
    }
  | { readonly do: 'withdraw'; readonly offer: Offer; readonly units: number }
  | {
      readonly do: 'restock';
      readonly what: 'coupon' | 'mug' | 'offer' | 'agreement';
      readonly offer: Offer;
      readonly units: number;
    };

/** A reward that waits for stock: its id, and its position among all rewards that the account ever earned, from 0. */
export type WaitingReward = { readonly earnedId: string; readonly nth: number };

/** An action as it is sent: with its operation id, and the id of its chest, purchase or waiting reward. */
export type Call = Action & {
  readonly operationId: string;
  readonly chestId?: string;
  readonly redemptionId?: string;
  readonly waiting?: WaitingReward;
};

/** The answer to a call: a digest that the model predicts, the drawn entries of an opened chest, and the id of a purchase. */
export type Received = { readonly digest: string; readonly drawn?: readonly string[]; readonly redemptionId?: string };

/** An action that reuses the operation id of the call `idOf` calls ago, even if that call was a different action. */
export type Sharing = { readonly action: Action; readonly idOf: number };

/**
 * Concurrent calls, `hours` after the previous step. A number is a repeat of the call that many calls ago: same content, same operation id.
 */
export type Step = {
  readonly hours: number;
  readonly calls: ReadonlyArray<Action | Sharing | number>;
  /** The change of the clocks before the calls. */
  readonly jump?: Jump | undefined;
  /** Whether housekeeping runs a round: before the calls, or at the same time if it does not trust the clock. */
  readonly isTidied?: boolean | undefined;
};

/** The scope of an operation id: synchronous and asynchronous events share one; each other kind of call has a separate one. */
export function operationOf({ do: what, operationId }: Call): string {
  return `${what === 'emitLater' ? 'emit' : what} ${operationId}`;
}

/** The content of a call, without its operation id: equal for a repeat. */
export function contentOf(call: Call): string {
  const fields = Object.entries({ ...call, operationId: '', do: call.do === 'emitLater' ? 'emit' : call.do });
  return JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const who = fc.constantFrom(...players);
const offer = fc.constantFrom<Offer>(0, 1);
const units = fc.integer({ min: 1, max: 3 });
const some = <T extends object>(weight: number, shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => ({
  weight,
  arbitrary: fc.record<T>(shape),
});

const action: fc.Arbitrary<Action> = fc.oneof(
  some(9, { do: fc.constantFrom('emit' as const, 'emit' as const, 'emitLater' as const), who }),
  some(3, { do: fc.constantFrom('claim' as const, 'openChest' as const, 'openChest' as const), who }),
  some(2, { do: fc.constantFrom('claimFor' as const, 'openChestFor' as const, 'openChestFor' as const), who }),
  some(2, { do: fc.constant('grant' as const), who, gift: fc.nat(gifts.length - 1) }),
  some(2, {
    do: fc.constantFrom('cancelWaiting' as const, 'cancelWaiting' as const, 'deliverWaiting' as const),
    who,
  }),
  some(3, { do: fc.constant('buy' as const), who, what: fc.constantFrom('coupon' as const, 'mug' as const), units }),
  some(3, { do: fc.constant('freeze' as const), who, offer, units, hours: fc.constantFrom(1, 5, 20) }),
  some(1, { do: fc.constant('unfreeze' as const), who, offer }),
  some(4, { do: fc.constant('redeem' as const), who, offer, units: fc.option(units, { nil: undefined }) }),
  some(2, { do: fc.constantFrom('publish' as const, 'publish' as const, 'unpublish' as const), offer }),
  some(1, { do: fc.constant('withdraw' as const), offer, units }),
  some(2, {
    do: fc.constant('reprice' as const),
    offer,
    price: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 4 }),
  }),
  some(2, { do: fc.constant('cancel' as const), who, days: fc.option(fc.constant(2), { nil: undefined, freq: 2 }) }),
  some(1, {
    do: fc.constant('adjust' as const),
    who,
    amount: fc.integer({ min: 1, max: 9 }),
    earned: fc.boolean(),
    days: fc.constantFrom(undefined, 1, 2),
  }),
  some(2, {
    do: fc.constant('restock' as const),
    what: fc.constantFrom('coupon' as const, 'mug' as const, 'offer' as const, 'agreement' as const),
    offer,
    units,
  }),
);

/** A step of one to four concurrent calls. Most steps follow at once; some follow hours later, so that things expire. */
export const step: fc.Arbitrary<Step> = fc.record({
  hours: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) }),
  calls: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: action },
      { weight: 2, arbitrary: fc.nat(5) },
      { weight: 2, arbitrary: fc.record<Sharing>({ action, idOf: fc.nat(5) }) },
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

/** A step before which, in every second case, clocks are set. */
export const clockedStep: fc.Arbitrary<Step> = fc
  .record({
    step,
    jump: fc.option(jump, { nil: undefined, freq: 2 }),
    tidiness: fc.nat(3),
  })
  .map(({ step: plain, jump: set, tidiness }) => ({
    ...plain,
    jump: set,
    isTidied: tidiness === 0 || (set !== undefined && tidiness === 1),
  }));
