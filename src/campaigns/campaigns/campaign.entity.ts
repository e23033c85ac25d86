import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A stretch of time, in milliseconds since 1970: `from` belongs to it, `until` does not. */
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
    /** How it closes for an account that has completed all its missions. */
    claimPolicy: columns.oneOf(['AUTOMATIC', 'EXPLICIT']),
    audienceIds: columns.references(),
    /** Delivered when the campaign closes for an account. */
    rewardIds: columns.references(),
    startsAt: columns.moment().nullable(),
    endsAt: columns.moment().nullable(),
    /** Its first activation; targets, periods and codes are fixed from then on. */
    activatedAt: columns.moment().nullable(),
    endedAt: columns.moment().nullable(),
    /** When it was paused, oldest first; the last has no end while it still is. */
    pauses: p
      .json<readonly StoredPause[]>()
      .default('[]')
      .onCreate(() => []),
    /** Raised by every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class CampaignEntity extends campaignTable.class {}
campaignTable.setClass(CampaignEntity);
