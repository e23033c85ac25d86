import type { Amount } from '../../../kernel/amount.ts';
import { newId } from '../../../kernel/ids.ts';
import type { UnitOfWork } from '../../../persistence/database.ts';
import { recordRedemptions } from '../../../redemptions/record-redemptions.ts';
import type { NewRedemption, RecordedRedemption } from '../../../redemptions/redemption.ts';
import type { Product } from '../product.ts';
import { takeCodes } from './stock.queries.ts';

/** Units allotted under the product's lock. */
export type Fulfilment = {
  readonly accountId: string;
  readonly product: Product;
  readonly units: number;
  readonly source: NewRedemption['source'];
  readonly sourceId?: string | undefined;
  readonly pointsSpent?: Amount | undefined;
  /** The id of the redemption, if another row already refers to it; a new one by default. */
  readonly redemptionId?: string | undefined;
};

/** Delivers allotted units to their accounts: takes the codes and records a redemption for each, in the same order. */
export async function fulfilUnits(
  uow: UnitOfWork,
  fulfilments: readonly Fulfilment[],
  now: Date,
): Promise<RecordedRedemption[]> {
  const identified = fulfilments.map(({ redemptionId = newId(), ...rest }) => ({ ...rest, redemptionId }));
  const codes = await takeCodes(
    uow,
    identified
      .filter(({ product }) => product.stockMode === 'CODES')
      .map(({ product, redemptionId, units }) => ({ productId: product.id, redemptionId, units })),
    now,
  );
  return recordRedemptions(
    uow,
    identified.map(({ redemptionId, units, product, ...rest }) => ({
      ...rest,
      id: redemptionId,
      product: { id: product.id, name: product.name },
      quantity: units,
      redeemables: codes.get(redemptionId) ?? [],
      now,
    })),
  );
}
