import { Reward_OnReversalSchema, type Reward_Type, Reward_TypeSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { CreateRewardRequest } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';
import { enumName, type EnumName, enumNames } from '../../kernel/enum-names.ts';

/** The type of a reward, by its name in the proto. */
export type RewardType = EnumName<typeof Reward_TypeSchema>;

/** Every reward type, in the order of the proto. */
export const REWARD_TYPES = enumNames(Reward_TypeSchema);

/** The consequence of a reversal for a reward, by its name in the proto. */
export type OnReversal = EnumName<typeof Reward_OnReversalSchema>;

/** Every consequence, in the order of the proto. */
export const ON_REVERSAL = enumNames(Reward_OnReversalSchema);

/** The fields of a definition that not every type has: those of the proto except the common ones. */
export type TypedField = Exclude<keyof CreateRewardRequest, `$${string}` | 'name' | 'type' | 'amount' | 'onReversal'>;

/** The rule for a field in definitions of a type. */
type FieldRule = 'required' | 'optional' | 'refused';

/** The rules of a type for definitions, deliveries and counts. The delivery itself: `delivery/type-deliveries.ts`. */
export type RewardTypeRules = {
  /** The rule for each field that not every type has, in the order of the checks. */
  readonly fields: Readonly<Record<TypedField, FieldRule>>;
  /** The amounts that a reward may have. A type without amounts is sent with 1. */
  readonly amount: keyof typeof amounts;
  /** Whether the amount is loyalty points. */
  readonly isPoints: boolean;
  /** The default consequence of a reversal. */
  readonly onReversal: OnReversal;
  /** Whether an account gets a reward of the type only once. Later ones are skipped, also from other missions and campaigns. */
  readonly oncePerAccount: boolean;
  /**
   * Whether the webhook at `/webhooks/rewards` has items of the type. A type that is newer than its receivers needs the setting
   * `badgesInRewardsWebhook` of the client; endpoints have every type.
   */
  readonly rewardsWebhook: 'always' | 'if the client says so';
} & (
  | {
      /** The effect of the amount on the product's stock: units, or pieces that combine into units. Without enough units it waits. */
      readonly stock: 'units' | 'pieces';
      readonly fields: { readonly productId: 'required' };
    }
  | {
      /** The type uses no stock, and never waits. */
      readonly stock: 'none';
      readonly fields: { readonly productId: 'refused' };
    }
);

/** The amounts of definitions: multiples of `step` up to `max`. */
export const amounts = {
  decimals: { step: 1n, max: 1_000_000_000n * ONE },
  // The limit keeps the writes of one delivery few.
  whole: { step: ONE, max: 1_000n * ONE },
  none: { step: ONE, max: ONE },
} as const satisfies Readonly<Record<string, { readonly step: Amount; readonly max: Amount }>>;

/** The rules of the fields of a type that has none of them. */
const noFields = {
  productId: 'refused',
  chestId: 'refused',
  expiresInDays: 'refused',
  amountExpression: 'refused',
  amountMax: 'refused',
  imageUrl: 'refused',
  description: 'refused',
  secret: 'refused',
} as const satisfies Readonly<Record<TypedField, FieldRule>>;

/** The rules of every reward type. */
export const rewardTypeRules: Readonly<Record<RewardType, RewardTypeRules>> = {
  PRODUCTS: {
    fields: { ...noFields, productId: 'required' },
    amount: 'whole',
    stock: 'units',
    isPoints: false,
    onReversal: 'CLAW_BACK_UNUSED',
    oncePerAccount: false,
    rewardsWebhook: 'always',
  },
  FRAGMENTS: {
    fields: { ...noFields, productId: 'required' },
    amount: 'whole',
    stock: 'pieces',
    isPoints: false,
    onReversal: 'CLAW_BACK_UNUSED',
    oncePerAccount: false,
    rewardsWebhook: 'always',
  },
  POINTS: {
    fields: { ...noFields, expiresInDays: 'optional', amountExpression: 'optional', amountMax: 'optional' },
    amount: 'decimals',
    stock: 'none',
    isPoints: true,
    onReversal: 'CLAW_BACK',
    oncePerAccount: false,
    rewardsWebhook: 'always',
  },
  CHEST: {
    fields: { ...noFields, chestId: 'required' },
    amount: 'whole',
    stock: 'none',
    isPoints: false,
    onReversal: 'CLAW_BACK_UNUSED',
    oncePerAccount: false,
    rewardsWebhook: 'always',
  },
  BADGE: {
    fields: { ...noFields, imageUrl: 'optional', description: 'optional', secret: 'optional' },
    amount: 'none',
    stock: 'none',
    isPoints: false,
    onReversal: 'CLAW_BACK_UNUSED',
    oncePerAccount: true,
    rewardsWebhook: 'if the client says so',
  },
};

/** The types whose amount is pieces. */
export const TYPES_OF_PIECES = rewardTypesWhere(({ stock }) => stock === 'pieces');

/** SQL for a condition: a column of types has one that an account gets only once. */
export function isOnceSql(column: string): string {
  const types = rewardTypesWhere(({ oncePerAccount }) => oncePerAccount);
  return `${column} in (${types.map((type) => `'${type}'`).join(', ')})`;
}

/**
 * The type in a validated request.
 * @throws Error for a number that the enum does not have; validation refuses those before a handler sees them
 */
export function rewardTypeOf(type: Reward_Type): RewardType {
  return enumName(Reward_TypeSchema, type)!;
}

/** The types whose rules meet a condition, in the order of the proto. */
export function rewardTypesWhere(meets: (rules: RewardTypeRules) => boolean): readonly RewardType[] {
  return REWARD_TYPES.filter((type) => meets(rewardTypeRules[type]));
}
