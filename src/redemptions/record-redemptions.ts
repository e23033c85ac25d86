import type { Amount } from '../kernel/amount.ts';
import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { StoredRedeemable } from './redemption.entity.ts';
import { insertRedemptions } from './redemptions.queries.ts';

/** Units of a product that an account takes. */
export type NewRedemption = {
  /** Where codes were taken under this id already; a new one otherwise. */
  readonly id?: string | undefined;
  readonly accountId: string;
  readonly product: { readonly id: string; readonly name: string };
  readonly source: 'REWARD' | 'FRAGMENTS' | 'LOYALTY' | 'MARKETPLACE';
  /** The earned reward or publication behind it. */
  readonly sourceId?: string | undefined;
  /** Units, at least 1. */
  readonly quantity: number;
  /** Points paid; nothing by default. */
  readonly pointsSpent?: Amount | undefined;
  /** The codes handed out; none for a product without codes. */
  readonly redeemables: readonly StoredRedeemable[];
  readonly now: Date;
};

/** A redemption as it stands in the records. */
export type RecordedRedemption = Omit<NewRedemption, 'id' | 'pointsSpent' | 'now'> & {
  readonly id: string;
  readonly pointsSpent: Amount;
  readonly status: 'COMPLETED' | 'CANCELLED';
  readonly createdAt: Date;
};

/** Records redemptions, all at once, in the transaction that took the units. One result for each, in the same order. */
export async function recordRedemptions(
  uow: UnitOfWork,
  redemptions: readonly NewRedemption[],
): Promise<RecordedRedemption[]> {
  const recorded = redemptions.map(({ id = newId(), pointsSpent = 0n, now, ...rest }): RecordedRedemption => ({
    ...rest,
    id,
    pointsSpent,
    status: 'COMPLETED',
    createdAt: now,
  }));
  if (recorded.length > 0) await insertRedemptions(uow, recorded);
  return recorded;
}
