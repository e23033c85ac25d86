import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An account that has completed all missions of a campaign. The primary key ensures that a campaign closes once per account. */
export const campaignCompletionTable = defineEntity({
  name: 'CampaignCompletionEntity',
  tableName: 'campaign_completion',
  ...ownedByClient,
  // For the counts and the pages of accounts that completed a campaign.
  indexes: [{ name: 'campaign_completion_account', properties: ['clientId', 'campaignId', 'accountId'] }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    campaignId: columns.reference().primary(),
    completedAt: columns.moment(),
    /** The time at which the rewards were delivered; null while an EXPLICIT campaign waits for the claim. */
    closedAt: columns.moment().nullable(),
  },
});

export class CampaignCompletionEntity extends campaignCompletionTable.class {}
campaignCompletionTable.setClass(CampaignCompletionEntity);
