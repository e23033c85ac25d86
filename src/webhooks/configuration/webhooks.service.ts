import type { ServiceImpl } from '@connectrpc/connect';
import type { WebhookService } from '../../../gen/laurel/v1/webhook_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { putWebhook } from './put-webhook.ts';
import { testWebhook } from './test-webhook.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/** The management of both webhooks: each operation is one function, told which webhook is meant. */
export function webhooksService(options: WebhooksOptions) {
  return {
    getRewardsWebhook: (_, context) => getWebhook(options, principalOf(context), 'REWARDS'),
    putRewardsWebhook: ({ settings }, context) => putWebhook(options, principalOf(context), 'REWARDS', settings),
    testRewardsWebhook: (_, context) => testWebhook(options, principalOf(context), 'REWARDS'),
    deleteRewardsWebhook: (_, context) => deleteWebhook(options, principalOf(context), 'REWARDS'),
    getPublicationStatusWebhook: (_, context) => getWebhook(options, principalOf(context), 'PUBLICATION_STATUS'),
    putPublicationStatusWebhook: ({ settings }, context) =>
      putWebhook(options, principalOf(context), 'PUBLICATION_STATUS', settings),
    testPublicationStatusWebhook: (_, context) => testWebhook(options, principalOf(context), 'PUBLICATION_STATUS'),
    deletePublicationStatusWebhook: (_, context) => deleteWebhook(options, principalOf(context), 'PUBLICATION_STATUS'),
  } satisfies ServiceImpl<typeof WebhookService>;
}
