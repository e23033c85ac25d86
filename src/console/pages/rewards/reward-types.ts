import { Award, Boxes, Coins, type LucideIcon, PackageOpen, Puzzle } from 'lucide-react';
import type { CreateRewardRequest } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { type Reward, type Reward_OnReversal, Reward_Type } from '../../../../gen/laurel/v1/reward_pb.ts';
import { enumName, type EnumName } from '../../api/enum-name.ts';

/** The name of a reward type, as the proto spells it. */
export type RewardTypeName = EnumName<typeof Reward_Type>;

/** The fields of a definition that only some types ask for: those of the proto beside name and type. */
export type FormField = Exclude<keyof CreateRewardRequest, `$${string}` | 'name' | 'type'>;

/** The fields and the display of a type. Its texts are among the messages of rewards: types, typeHints, amounts. */
type RewardTypeView = {
  /** A picture, the same wherever the type is shown. */
  readonly icon: LucideIcon;
  /** The fields of its form, in order. Without an amount it is sent as 1. A product or a chest must be chosen. */
  readonly fields: readonly FormField[];
  /** Decimals that an amount may have. */
  readonly decimals: number;
};

/** Every reward type, in the order in which they are offered. */
export const rewardTypes: Readonly<Record<RewardTypeName, RewardTypeView>> = {
  POINTS: {
    icon: Coins,
    fields: ['amount', 'expiresInDays', 'amountExpression', 'amountMax', 'onReversal'],
    decimals: 4,
  },
  PRODUCTS: { icon: Boxes, fields: ['productId', 'amount', 'onReversal'], decimals: 0 },
  FRAGMENTS: { icon: Puzzle, fields: ['productId', 'amount', 'onReversal'], decimals: 0 },
  CHEST: { icon: PackageOpen, fields: ['chestId', 'amount', 'onReversal'], decimals: 0 },
  BADGE: { icon: Award, fields: ['imageUrl', 'onReversal', 'description', 'secret'], decimals: 0 },
};

/** Whether the form of a type has a field. */
export function hasField(type: RewardTypeName, field: FormField): boolean {
  return rewardTypes[type].fields.includes(field);
}

/** The fields that may change after the creation, in the order of the form. */
export const changeableFields = ['imageUrl', 'description', 'secret'] as const satisfies readonly FormField[];

/** The names of the reward types, in the order in which they are offered. */
export const rewardTypeNames = Object.keys(rewardTypes) as readonly RewardTypeName[];

/**
 * The name of a reward type.
 * @throws Error for a type that is newer than this page
 */
export function rewardTypeName(type: Reward_Type): RewardTypeName {
  return enumName(Reward_Type, type);
}

/** The product or chest of a reward; undefined if it has none. */
export function subjectOf({ productId, chestId }: Reward) {
  if (productId !== undefined) return { kind: 'product', id: productId } as const;
  return chestId === undefined ? undefined : ({ kind: 'chest', id: chestId } as const);
}

/** The name of a consequence of a reversal, as the proto spells it. */
export type OnReversalName = EnumName<typeof Reward_OnReversal>;

/** The consequences of a reversal, in the order in which they are offered. */
export const onReversalNames = ['CLAW_BACK', 'CLAW_BACK_UNUSED', 'KEEP'] as const satisfies readonly OnReversalName[];
