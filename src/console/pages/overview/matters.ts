import { type Cause, Cause_Kind as Kind } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';

/** Causes that a person mends at once, the one to begin with first. */
export type Matter = readonly [Cause, ...Cause[]];

/** Causes as matters: all shortages of a product are one, because a restock mends them. In the order of the first cause of each. */
export function mattersOf(causes: readonly Cause[]): Matter[] {
  const matters = Map.groupBy(causes, (cause) => productOf(cause) ?? cause.key);
  return [...matters.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

function productOf({ kind, subjectId, productId }: Cause): string | undefined {
  if (kind === Kind.CAMPAIGN_SHORT) return productId;
  return kind === Kind.REWARDS_WAITING || kind === Kind.PRODUCT_LOW ? subjectId : undefined;
}
