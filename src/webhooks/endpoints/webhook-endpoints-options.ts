import type { UnitOfWork } from '../../persistence/database.ts';
import type { WebhooksOptions } from '../configuration/webhooks-options.ts';

/** Finds the campaigns among `ids` that the client does not have. */
export type UnknownCampaigns = (uow: UnitOfWork, ids: readonly string[]) => Promise<readonly string[]>;

/** The dependencies of the operations on endpoints. */
export type WebhookEndpointsOptions = Pick<WebhooksOptions, 'secrets' | 'sender' | 'allowPrivate'> & {
  readonly unknownCampaigns: UnknownCampaigns;
};
