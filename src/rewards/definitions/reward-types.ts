import { type Reward_Type, Reward_TypeSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { CreateRewardRequest } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';
import { enumName, type EnumName, enumNames } from '../../kernel/enum-names.ts';

/** What a reward delivers, by the names of the proto. */
export type RewardType = EnumName<typeof Reward_TypeSchema>;

/** Every reward type, in the order of the proto. */
export const REWARD_TYPES = enumNames(Reward_TypeSchema);

/** The fields of a definition that only some types have: those of the proto beside the ones that every type has. */
export type TypedField = Exclude<keyof CreateRewardRequest, `$${string}` | 'name' | 'type' | 'amount'>;

/** What a definition of a type does with a field. */
type FieldRule = 'required' | 'optional' | 'refused';

/** What a type may do, wherever a reward is defined, delivered or counted. How it is delivered: `delivery/delivered-types.ts`. */
export type RewardTypeRules = {
  /** What a definition does with each of the fields that not every type has, in the order in which they are checked. */
  readonly fields: Readonly<Record<TypedField, FieldRule>>;
  /** Which amounts a reward may have. One without an amount of its own is sent as 1. */
  readonly amount: keyof typeof amounts;
  /** Whether the amount is loyalty points. */
  readonly isPoints: boolean;
  /** Whether an account gets a reward of the type once only. A second time is skipped, whatever it is earned by. */
  readonly oncePerAccount: boolean;
} & (
  | {
      /** What the amount takes of the product's stock: units, or pieces that combine into them. It waits for units that are missing. */
      readonly stock: 'units' | 'pieces';
      readonly fields: { readonly productId: 'required' };
    }
  | {
      /** It takes of no stock, and never waits. */
      readonly stock: 'none';
      readonly fields: { readonly productId: 'refused' };
    }
);

/** The amounts of definitions: multiples of `step` up to `max`. */
export const amounts = {
  decimals: { step: 1n, max: 1_000_000_000n * ONE },
  // What one delivery writes stays small.
  whole: { step: ONE, max: 1_000n * ONE },
  none: { step: ONE, max: ONE },
} as const satisfies Readonly<Record<string, { readonly step: Amount; readonly max: Amount }>>;

/** The rules of every reward type. */
export const rewardTypes: Readonly<Record<RewardType, RewardTypeRules>> = {
  PRODUCTS: {
    fields: { productId: 'required', chestId: 'refused', expiresInDays: 'refused' },
    amount: 'whole',
    stock: 'units',
    isPoints: false,
    oncePerAccount: false,
  },
  FRAGMENTS: {
    fields: { productId: 'required', chestId: 'refused', expiresInDays: 'refused' },
    amount: 'whole',
    stock: 'pieces',
    isPoints: false,
    oncePerAccount: false,
  },
  POINTS: {
    fields: { productId: 'refused', chestId: 'refused', expiresInDays: 'optional' },
    amount: 'decimals',
    stock: 'none',
    isPoints: true,
    oncePerAccount: false,
  },
  CHEST: {
    fields: { productId: 'refused', chestId: 'required', expiresInDays: 'refused' },
    amount: 'whole',
    stock: 'none',
    isPoints: false,
    oncePerAccount: false,
  },
};

/** The types whose amount is pieces. */
export const TYPES_OF_PIECES = rewardTypesWhere(({ stock }) => stock === 'pieces');

/**
 * The type that a validated request names.
 * @throws Error for a number that the enum does not have; validation refuses those before a handler sees them
 */
export function rewardTypeOf(type: Reward_Type): RewardType {
  return enumName(Reward_TypeSchema, type)!;
}

/** The types whose rules meet a condition, in the order of the proto. */
export function rewardTypesWhere(meets: (rules: RewardTypeRules) => boolean): readonly RewardType[] {
  return REWARD_TYPES.filter((type) => meets(rewardTypes[type]));
}
