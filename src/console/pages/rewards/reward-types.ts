import { Boxes, Coins, type LucideIcon, PackageOpen, Puzzle } from 'lucide-react';
import { Reward_Type } from '../../../../gen/laurel/v1/reward_pb.ts';

/** What rewards deliver, by the names of the proto, in the order in which they are offered. */
export const rewardTypes = ['POINTS', 'PRODUCTS', 'FRAGMENTS', 'CHEST'] as const;

/** The name of a reward type. */
export type RewardTypeName = (typeof rewardTypes)[number];

/** A picture for each type, the same wherever the type is shown. */
export const rewardIcons: Readonly<Record<RewardTypeName, LucideIcon>> = {
  POINTS: Coins,
  PRODUCTS: Boxes,
  FRAGMENTS: Puzzle,
  CHEST: PackageOpen,
};

/** The name of a reward type; POINTS for a value that this page does not know. */
export function rewardTypeName(type: Reward_Type): RewardTypeName {
  return rewardTypes.find((name) => Reward_Type[name] === type) ?? 'POINTS';
}
