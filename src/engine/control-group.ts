import { hash } from 'node:crypto';

/** The parts of a campaign that decide who is held back. */
type HoldingCampaign = { readonly campaignId: string; readonly heldBackBelow: number };

/** The numbers of {@link placeOf}: 2^32. */
const PLACES = 2 ** 32;

/** A hundredfold place below which accounts are held back; 0 if nobody is. @param percent of the accounts, 0 to 90 */
export function heldBackBelow(percent: number | undefined): number {
  return (percent ?? 0) * PLACES;
}

/**
 * Whether an account is in the control group of a campaign: treated as if it were in none of the audiences. Only the two ids decide, so it
 * needs no row and never changes. A campaign without a control group costs one comparison, another one a hash.
 */
export function isHeldBack(campaign: HoldingCampaign | undefined, accountId: string): boolean {
  if (campaign === undefined || campaign.heldBackBelow === 0) return false;
  return placeOf(campaign.campaignId, accountId) * 100 < campaign.heldBackBelow;
}

/** The place of an account in a campaign, evenly from 0 to 2^32 - 1. */
function placeOf(campaignId: string, accountId: string): number {
  return Number.parseInt(hash('sha256', `${campaignId}:${accountId}`, 'hex').slice(0, 8), 16);
}
