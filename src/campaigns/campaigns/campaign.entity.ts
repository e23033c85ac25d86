import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A time range in milliseconds since 1970: `from` is included, `until` is not. */
export type StoredPause = { readonly from: number; readonly until?: number };

/** Missions offered together, with rewards for completing all of them. */
export const campaignTable = defineEntity({
  name: 'CampaignEntity',
  tableName: 'campaign',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    description: columns.text().default(''),
    status: columns.oneOf(['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED']),
    /** Whether the campaign closes automatically or by a claim, after an account has completed all its missions. */
    claimPolicy: columns.oneOf(['AUTOMATIC', 'EXPLICIT']),
    audienceIds: columns.references(),
    /** The percentage of accounts that are held back, 1 to 90; null for none. Fixed after the campaign has begun. */
    controlGroupPercent: p.integer().nullable(),
    /** Rewards for the closing of the campaign, per account. */
    rewardIds: columns.references(),
    startsAt: columns.moment().nullable(),
    endsAt: columns.moment().nullable(),
    /** The first activation; targets, periods and codes are fixed after it. */
    activatedAt: columns.moment().nullable(),
    endedAt: columns.moment().nullable(),
    /** The pauses, oldest first; the last has no end while the campaign is paused. */
    pauses: p
      .json<readonly StoredPause[]>()
      .default('[]')
      .onCreate(() => []),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class CampaignEntity extends campaignTable.class {}
campaignTable.setClass(CampaignEntity);
