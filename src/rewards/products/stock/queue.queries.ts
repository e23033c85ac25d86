import type { UnitOfWork } from '../../../persistence/database.ts';

/**
 * SQL for the fewest units that a pending reward of a product of client `$1` needs; no row without pending rewards.
 * @param productId SQL of the product's id
 */
export function smallestNeedOf(productId: string): string {
  return `lateral (select units_needed from earned_reward
     where client_id = $1::uuid and product_id between ${productId} and ${productId} and status = 'PENDING_STOCK'
     order by client_id, product_id, units_needed limit 1)`;
}

/** The fewest units that a pending reward of each product needs; products without waiting rewards are absent. */
export async function smallestNeeds(uow: UnitOfWork, productIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await uow.query<{ id: string; units_needed: number | null }>(
    `select wanted.id, e.units_needed from unnest($2::uuid[]) as wanted(id) cross join ${smallestNeedOf('wanted.id')} e`,
    [uow.clientId, productIds],
  );
  return new Map(rows.flatMap(({ id, units_needed: units }) => (units === null ? [] : [[id, units]])));
}
