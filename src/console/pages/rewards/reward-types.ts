import { Boxes, Coins, type LucideIcon, PackageOpen, Puzzle } from 'lucide-react';
import { type Reward, Reward_Type } from '../../../../gen/laurel/v1/reward_pb.ts';
import { enumName, type EnumName } from '../../api/enum-name.ts';

/** The name of a reward type, as the proto spells it. */
export type RewardTypeName = EnumName<typeof Reward_Type>;

/** The fields of a definition that only some types have. */
export type TypedField = 'productId' | 'chestId' | 'expiresInDays';

/** The fields and the display of a type. Its texts are among the messages of rewards: types, typeHints, amounts. */
type RewardTypeView = {
  /** A picture, the same wherever the type is shown. */
  readonly icon: LucideIcon;
  /** Which fields its form has beside name and amount. A product or a chest must be chosen. */
  readonly fields: readonly TypedField[];
  /** Decimals that an amount may have. */
  readonly decimals: number;
  /** The resource that its amount counts; undefined if there is none. */
  readonly subjectOf: (
    reward: Reward,
  ) => { readonly kind: 'product' | 'chest'; readonly id: string | undefined } | undefined;
};

/** Every reward type, in the order in which they are offered. */
export const rewardTypes: Readonly<Record<RewardTypeName, RewardTypeView>> = {
  POINTS: { icon: Coins, fields: ['expiresInDays'], decimals: 4, subjectOf: () => undefined },
  PRODUCTS: { icon: Boxes, fields: ['productId'], decimals: 0, subjectOf: ofProduct },
  FRAGMENTS: { icon: Puzzle, fields: ['productId'], decimals: 0, subjectOf: ofProduct },
  CHEST: {
    icon: PackageOpen,
    fields: ['chestId'],
    decimals: 0,
    subjectOf: ({ chestId }) => ({ kind: 'chest', id: chestId }),
  },
};

/** Whether the form of a type has a field. */
export function hasField(type: RewardTypeName, field: TypedField): boolean {
  return rewardTypes[type].fields.includes(field);
}

/** The names of the reward types, in the order in which they are offered. */
export const rewardTypeNames = Object.keys(rewardTypes) as readonly RewardTypeName[];

/**
 * The name of a reward type.
 * @throws Error for a type that is newer than this page
 */
export function rewardTypeName(type: Reward_Type): RewardTypeName {
  return enumName(Reward_Type, type);
}

function ofProduct({ productId }: Reward) {
  return { kind: 'product', id: productId } as const;
}
