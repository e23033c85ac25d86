import type { Amount } from '../kernel/amount.ts';

/** One delivered code, with its item, at the time of delivery. */
export type StoredRedeemable = {
  readonly id: string;
  readonly code: string;
  readonly itemId: string;
  readonly itemName: string;
};

/** A delivered code as answers, webhooks and changes show it. */
export function deliveredCodeOf({ code, itemId, itemName }: StoredRedeemable) {
  return { code, item: { id: itemId, name: itemName } };
}

/** Units of a product that an account takes. */
export type NewRedemption = {
  /** The id under which codes were already taken; a new one by default. */
  readonly id?: string | undefined;
  readonly accountId: string;
  readonly product: { readonly id: string; readonly name: string };
  readonly source: 'REWARD' | 'FRAGMENTS' | 'LOYALTY' | 'MARKETPLACE';
  /** The earned reward or publication behind it. */
  readonly sourceId?: string | undefined;
  /** Units, at least 1. */
  readonly quantity: number;
  /** Paid points; 0 by default. */
  readonly pointsSpent?: Amount | undefined;
  /** The delivered codes; empty for a product without codes. */
  readonly redeemables: readonly StoredRedeemable[];
  readonly now: Date;
};

/** A stored redemption. */
export type RecordedRedemption = Omit<NewRedemption, 'id' | 'pointsSpent' | 'now'> & {
  readonly id: string;
  readonly pointsSpent: Amount;
  readonly status: 'COMPLETED' | 'CANCELLED';
  readonly createdAt: Date;
};
