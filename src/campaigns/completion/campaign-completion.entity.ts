import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An account has completed all missions of a campaign. Its key is what makes a campaign close once. */
export const campaignCompletionTable = defineEntity({
  name: 'CampaignCompletionEntity',
  tableName: 'campaign_completion',
  ...ownedByClient,
  // How many accounts have completed a campaign, and who they are, page by page.
  indexes: [{ name: 'campaign_completion_account', properties: ['clientId', 'campaignId', 'accountId'] }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    campaignId: columns.reference().primary(),
    completedAt: columns.moment(),
    /** When its rewards were delivered; null while an EXPLICIT campaign waits for the claim. */
    closedAt: columns.moment().nullable(),
  },
});

export class CampaignCompletionEntity extends campaignCompletionTable.class {}
campaignCompletionTable.setClass(CampaignCompletionEntity);
