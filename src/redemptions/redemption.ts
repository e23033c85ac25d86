import type { Amount } from '../kernel/amount.ts';

/** One code that was handed out, as it and its item were then. */
export type StoredRedeemable = {
  readonly id: string;
  readonly code: string;
  readonly itemId: string;
  readonly itemName: string;
};

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
