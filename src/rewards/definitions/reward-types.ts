import { type Reward_Type, Reward_TypeSchema } from '../../../gen/laurel/v1/reward_pb.ts';
import type { CreateRewardRequest } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { enumName, type EnumName, enumNames } from '../../kernel/enum-names.ts';

/** What a reward delivers, by the names of the proto. */
export type RewardType = EnumName<typeof Reward_TypeSchema>;

/** Every reward type, in the order of the proto. */
export const REWARD_TYPES = enumNames(Reward_TypeSchema);

/** The fields of a definition that only some types have. */
export type TypedField = keyof Pick<CreateRewardRequest, 'productId' | 'chestId' | 'expiresInDays'>;

/** What sets a type apart, wherever a reward is defined, counted or waits. How it is delivered: `delivery/delivered-types.ts`. */
export type RewardTypeRules = {
  /** What a definition of the type does with each of the fields that not every type has. */
  readonly fields: Readonly<Record<TypedField, 'required' | 'optional' | 'refused'>>;
  /** Whether the amount may have decimals. Units, pieces and chests are whole. */
  readonly hasDecimals: boolean;
  /** Whether the amount is loyalty points. */
  readonly isPoints: boolean;
  /** Whether the amount is units of the product. */
  readonly isUnits: boolean;
  /** Whether the amount is pieces, which combine into units of the product. */
  readonly isPieces: boolean;
};

/** The rules of every reward type. */
export const rewardTypes: Readonly<Record<RewardType, RewardTypeRules>> = {
  PRODUCTS: {
    fields: { productId: 'required', chestId: 'refused', expiresInDays: 'refused' },
    hasDecimals: false,
    isPoints: false,
    isUnits: true,
    isPieces: false,
  },
  FRAGMENTS: {
    fields: { productId: 'required', chestId: 'refused', expiresInDays: 'refused' },
    hasDecimals: false,
    isPoints: false,
    isUnits: false,
    isPieces: true,
  },
  POINTS: {
    fields: { productId: 'refused', chestId: 'refused', expiresInDays: 'optional' },
    hasDecimals: true,
    isPoints: true,
    isUnits: false,
    isPieces: false,
  },
  CHEST: {
    fields: { productId: 'refused', chestId: 'required', expiresInDays: 'refused' },
    hasDecimals: false,
    isPoints: false,
    isUnits: false,
    isPieces: false,
  },
};

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
