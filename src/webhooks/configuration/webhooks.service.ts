import type { WebhookService } from '../../../gen/laurel/v1/webhook_service_pb.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { putWebhook } from './put-webhook.ts';
import { testWebhook } from './test-webhook.ts';
import type { WebhooksOptions } from './webhooks-options.ts';
import type { Handlers } from '../../clients/call.ts';

/** The management of the webhooks: one function for each operation, with the type as its parameter. */
export function webhooksService(options: WebhooksOptions) {
  return {
    getRewardsWebhook: (call) => getWebhook(call, 'REWARDS', options),
    putRewardsWebhook: (call, { settings }) => putWebhook(call, 'REWARDS', settings, options),
    testRewardsWebhook: (call) => testWebhook(call, 'REWARDS', options),
    deleteRewardsWebhook: (call) => deleteWebhook(call, 'REWARDS', options),
    getPublicationStatusWebhook: (call) => getWebhook(call, 'PUBLICATION_STATUS', options),
    putPublicationStatusWebhook: (call, { settings }) => putWebhook(call, 'PUBLICATION_STATUS', settings, options),
    testPublicationStatusWebhook: (call) => testWebhook(call, 'PUBLICATION_STATUS', options),
    deletePublicationStatusWebhook: (call) => deleteWebhook(call, 'PUBLICATION_STATUS', options),
    getMissionCompletedWebhook: (call) => getWebhook(call, 'MISSION_COMPLETED', options),
    putMissionCompletedWebhook: (call, { settings }) => putWebhook(call, 'MISSION_COMPLETED', settings, options),
    testMissionCompletedWebhook: (call) => testWebhook(call, 'MISSION_COMPLETED', options),
    deleteMissionCompletedWebhook: (call) => deleteWebhook(call, 'MISSION_COMPLETED', options),
    getStockLowWebhook: (call) => getWebhook(call, 'STOCK_LOW', options),
    putStockLowWebhook: (call, { settings }) => putWebhook(call, 'STOCK_LOW', settings, options),
    testStockLowWebhook: (call) => testWebhook(call, 'STOCK_LOW', options),
    deleteStockLowWebhook: (call) => deleteWebhook(call, 'STOCK_LOW', options),
  } satisfies Handlers<typeof WebhookService>;
}
